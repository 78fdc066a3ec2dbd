import { randomBytes } from 'node:crypto'
import { appendFileSync, chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseEnv } from 'node:util'
import { LaunchError } from './bootstrap/launch-error.mjs'

/** The secrets in .dev.vars and how each is created. The Razorpay ones are the emulator's and work nowhere else. */
const makers = {
  JWT_SECRETS: () => `k1:${randomBytes(48).toString('base64url')}`,
  TRIAL_SECRET: () => randomBytes(48).toString('base64url'),
  RAZORPAY_KEY_ID: () => 'rzp_test_EMUkey00000001',
  RAZORPAY_KEY_SECRET: () => 'emu_key_secret_0001',
  RAZORPAY_WEBHOOK_SECRETS: () => 'emu_webhook_secret_0001',
}

type SecretName = keyof typeof makers
export type Secrets = Record<SecretName, string>

/**
 * Reads the secrets of .dev.vars. Creates each missing one once and adds it; if the file existed before, it reports
 * that to `say`. Only the file's owner can read it. Throws a LaunchError when it cannot be read or written.
 */
export function readSecrets(file: string, say: (line: string) => void = () => undefined): Secrets {
  try {
    return readOrMake(file, say)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new LaunchError(`The secrets file ${file} cannot be used: ${error.message}`)
  }
}

function readOrMake(file: string, say: (line: string) => void): Secrets {
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : null
  const values = parseEnv(kept ?? '')
  const secret = (name: SecretName) => values[name] || makers[name]()
  const secrets = {
    JWT_SECRETS: secret('JWT_SECRETS'),
    TRIAL_SECRET: secret('TRIAL_SECRET'),
    RAZORPAY_KEY_ID: secret('RAZORPAY_KEY_ID'),
    RAZORPAY_KEY_SECRET: secret('RAZORPAY_KEY_SECRET'),
    RAZORPAY_WEBHOOK_SECRETS: secret('RAZORPAY_WEBHOOK_SECRETS'),
  }
  const missing = Object.entries(secrets).filter(([name]) => !values[name])
  if (missing.length > 0) addSecrets(file, kept, missing)
  if (missing.length > 0 && kept !== null) {
    say(`${basename(file)} had no ${missing.map(([name]) => name).join(', ')}: created them.`)
  }
  return secrets
}

/** Appends, because a full disk must not cost what the file has. */
function addSecrets(file: string, kept: string | null, added: [string, string][]): void {
  const head =
    kept === null ? '# Secrets of this checkout, made by the first start. Never committed.' : ''
  const lines = added.map(([name, value]) => `${name}="${value}"\n`)
  appendFileSync(file, `${head}\n${lines.join('')}`, { mode: 0o600 })
  chmodSync(file, 0o600)
}

/**
 * Writes the addresses of this start into .dev.vars, where commands besides ours read them: `npx astro dev`, `npx wrangler dev`,
 * `npx drizzle-kit studio`. What else is in the file stays.
 */
export function writeAddresses(file: string, vars: Readonly<Record<string, string>>): void {
  const kept = readFileSync(file, 'utf8')
  const names = Object.keys(vars).join('|')
  const others = kept.replaceAll(new RegExp(`^(${names})=.*\\n`, 'gm'), '').trimEnd()
  const lines = Object.entries(vars).map(([name, value]) => `${name}="${value}"\n`)
  const text = `${others}\n${lines.join('')}`
  if (text !== kept) writeFileSync(file, text)
}

const OPTIONAL = [
  ...['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ...['ALARM_WEBHOOK_URL', 'HEARTBEAT_URL', 'BREACHED_PASSWORDS_URL'],
]

/** Optional variables of a deployment that are tried here: those set in .dev.vars or, for one start, in `env`. */
export function readOptional(file: string, env: NodeJS.ProcessEnv): Record<string, string> {
  const values = { ...parseEnv(existsSync(file) ? readFileSync(file, 'utf8') : ''), ...env }
  return Object.fromEntries(
    OPTIONAL.flatMap((name) => (values[name] ? [[name, values[name]]] : [])),
  )
}
