import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual, parseEnv } from 'node:util'
import { DESKTOP_SESSION_DAYS } from '../../src/contract/limits.ts'
import { days } from '../../edge-api/domain/time.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'

/** Both are lists: the first signs, or is what we expect, and all are accepted. */
const LISTS = { jwt: 'JWT_SECRETS', webhook: 'RAZORPAY_WEBHOOK_SECRETS' } as const

type ListName = keyof typeof LISTS

/**
 * `add` puts a new secret before those that are still needed, so that all count. `drop-old` keeps only the first. `leaked`
 * replaces all with a new one.
 */
export type Way = 'add' | 'drop-old' | 'leaked'

export interface SecretsFile {
  path: string
  /** The option after `npm run deploy` and `npm run ops`: `--env production`; '' on this machine. */
  flag: string
  /** Milliseconds UTC. */
  now: number
}

/** The result of a rotation: the new lines of the file, and the next steps. */
export interface Rotation {
  values: Record<string, string>
  says: string[]
}

/** Plans to rotate the secrets of a list. Throws a LaunchError when there is nothing to rotate. */
export function rotateList(list: ListName, way: Way, { path, flag, now }: SecretsFile): Rotation {
  const name = LISTS[list]
  const entries = (readValues(path)[name] ?? '').split(',').filter((entry) => entry !== '')
  const [first] = entries
  if (first === undefined) throw new LaunchError(`${path} has no ${name}.`)
  if (way === 'drop-old' && entries.length === 1) {
    throw new LaunchError(`${name} has one secret only: there is no old one to drop.`)
  }
  const fresh = list === 'jwt' ? newJwtSecret(entries, now) : randomBytes(32).toString('base64url')
  // Razorpay may sign with any of the webhook's until its dashboard has the newest.
  const needed = list === 'jwt' ? entries.filter(isNeeded(now)) : entries
  const kept = { add: [fresh, ...needed], 'drop-old': [first], leaked: [fresh] }[way]
  return {
    values: { [name]: kept.join(',') },
    says: [...WORDS[list][way], ...next(list, way, flag)],
  }
}

/** `k2_20261124:…` after `k1:…`: a token names the secret that signed it, and the secret the day from which it signs. */
function newJwtSecret(entries: readonly string[], now: number): string {
  const numbers = entries.map((entry) => Number(/^k(\d+)[_:]/.exec(entry)?.[1] ?? 0))
  const day = new Date(now).toISOString().slice(0, 10).replaceAll('-', '')
  return `k${Math.max(...numbers) + 1}_${day}:${randomBytes(48).toString('base64url')}`
}

/**
 * Whether a session can still be open that a secret of the list signed. A secret is in use until the next one, above it in the
 * list, is created. For secrets without a date in their name we do not know when that was.
 */
function isNeeded(now: number) {
  return (_: string, index: number, entries: readonly string[]): boolean => {
    const [, year, month, day] = /^k\d+_(\d{4})(\d{2})(\d{2}):/.exec(entries[index - 1] ?? '') ?? []
    if (year === undefined) return true
    // It may have signed until the end of that day.
    const signedUntil = Date.parse(`${year}-${month}-${day}`) + days(1)
    return now < signedUntil + days(DESKTOP_SESSION_DAYS)
  }
}

const WORDS: Record<ListName, Record<Way, string[]>> = {
  jwt: {
    add: [
      'A new JWT secret signs; an older one is accepted for as long as a session that it signed can be open. Nobody is signed out.',
    ],
    'drop-old': ['Only the newest JWT secret stays. Sessions signed with an older secret end.'],
    leaked: ['Only a new JWT secret is accepted. Everybody is signed out.'],
  },
  webhook: {
    add: [
      'A new webhook secret comes first; those before it are still accepted. No webhook is lost.',
    ],
    'drop-old': ['Only the newest webhook secret stays.'],
    leaked: [
      'Only a new webhook secret is accepted. Until Razorpay has it too, webhooks are refused, and Razorpay sends them again.',
    ],
  },
}

function next(list: ListName, way: Way, flag: string): string[] {
  const deploy = flag === '' ? 'Start the site again.' : `npm run deploy -- ${flag}`
  const drop = ['npm run ops -- rotate', list, '--drop-old', flag, '--write']
    .filter(Boolean)
    .join(' ')
  const dashboard =
    "In Razorpay's dashboard, Account & Settings → Webhooks: give our webhook the first of RAZORPAY_WEBHOOK_SECRETS."
  const steps = list === 'webhook' && way !== 'drop-old' ? [deploy, dashboard] : [deploy]
  const last =
    list === 'jwt'
      ? `The next rotation drops what nobody needs. Sooner, if apps may be approved again: ${drop}`
      : `After two days: ${drop}`
  return numbered(way === 'add' ? [...steps, last] : steps)
}

const numbered = (steps: readonly string[]) => steps.map((step, i) => `${i + 1}. ${step}`)

/** Plans to replace the current key of Razorpay. */
export function rotateKey(key: { id: string; secret: string }, flag: string): Rotation {
  return {
    values: { RAZORPAY_KEY_ID: key.id, RAZORPAY_KEY_SECRET: key.secret },
    says: [
      'Razorpay accepts the new key. Buyers with an open payment window pay under the old one: the webhook brings their tokens.',
      ...numbered([
        flag === ''
          ? 'Start the site again.'
          : `npm run deploy -- ${flag}, before the old key ends`,
        "Razorpay's dashboard shows when the old key ends: at once, or 24 hours after the new one was made.",
      ]),
    ],
  }
}

/**
 * Puts each value in place of the lines that set it, or before all others. Only its owner can read the file. Throws a
 * LaunchError, and changes nothing, when the file would then say anything else.
 */
export function writeValues(path: string, values: Record<string, string>): void {
  const before = readText(path)
  let lines = before.split('\n')
  for (const [name, value] of Object.entries(values)) {
    const isOld = (line: string) => new RegExp(`^\\s*(export\\s+)?${name}\\s*=`).test(line)
    const place = Math.max(lines.findIndex(isOld), 0)
    lines = lines.filter((line) => !isOld(line)).toSpliced(place, 0, `${name}="${value}"`)
  }
  const text = lines.join('\n')
  if (!isDeepStrictEqual({ ...parseEnv(text) }, { ...parseEnv(before), ...values })) {
    throw new LaunchError(`${path} is not changed: write each value on one line of its own first.`)
  }
  const draft = `${path}.draft`
  writeFileSync(draft, text, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, path)
}

/** The values of a file of secrets. Throws a LaunchError when there is none. */
export const readValues = (path: string): NodeJS.Dict<string> => parseEnv(readText(path))

function readText(path: string): string {
  if (existsSync(path)) return readFileSync(path, 'utf8')
  throw new LaunchError(`There is no ${path}: rotate the secret where the deployment reads it.`)
}
