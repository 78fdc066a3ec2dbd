import type { BreachedPasswords } from '../domain/ports/breached-passwords.ts'
import type { Log } from '../domain/ports/log.ts'
import { LOOPBACK } from './loopback.ts'

interface BreachEnv {
  ENVIRONMENT: string
  /** The check is off when unset. `/range/…` is appended to the address. */
  BREACHED_PASSWORDS_URL?: string | undefined
}

/** The list of breached passwords, or null when none is configured. Alerts the operator to an unusable address. */
export function breachServices(env: BreachEnv, log: Log): BreachedPasswords | null {
  const { BREACHED_PASSWORDS_URL: address = '' } = env
  if (address === '') return null
  const url = URL.parse(address)
  if (url !== null && isAllowed(url, env)) return rangeLookup(url.href.replace(/\/$/, ''), log)
  log.alert('breached passwords are not asked', {
    reason: 'BREACHED_PASSWORDS_URL must be an https address',
  })
  return null
}

/** Outside production a loopback address may do without https. */
function isAllowed(url: URL, { ENVIRONMENT }: BreachEnv): boolean {
  if (url.username !== '' || url.search !== '' || url.hash !== '') return false
  if (url.protocol === 'https:') return true
  const isDeployed = ENVIRONMENT === 'production' || ENVIRONMENT === 'staging'
  return !isDeployed && LOOPBACK.includes(url.hostname)
}

/** Milliseconds for the whole answer, so that registering takes at most two seconds. */
const TIMEOUT_MS = 1_200
const PREFIX_LENGTH = 5
const ANSWER_MAX = 512 * 1024
/** `SUFFIX:COUNT`; a count of 0 is padding. */
const LINE = /^([0-9A-F]{35}):(\d{1,10})$/

/**
 * Looks passwords up by k-anonymity (the "range" call of Have I Been Pwned): only the first five characters of the
 * password's SHA-1 are sent, and the answer is padded so that its length reveals nothing. Fails open: without an
 * answer in time the password is accepted and a warning is logged.
 */
function rangeLookup(baseUrl: string, log: Log): BreachedPasswords {
  return {
    has: async (password) => {
      const hash = await sha1Hex(password)
      try {
        const lines = await fetchRange(baseUrl, hash.slice(0, PREFIX_LENGTH))
        return holds(lines, hash.slice(PREFIX_LENGTH))
      } catch (error) {
        log.warn('breached passwords could not be asked', { reason: reasonOf(error) })
        return false
      }
    },
  }
}

/** The answer is not a complete list of hashes. */
class RangeUnreadable extends Error {
  override readonly name = 'RangeUnreadable'
}

async function fetchRange(baseUrl: string, prefix: string): Promise<string[]> {
  const response = await fetch(`${baseUrl}/range/${prefix}`, {
    headers: { 'Add-Padding': 'true', 'User-Agent': 'password-check' },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const text = await response.text()
  if (response.status !== 200) throw new RangeUnreadable(`status ${response.status}`)
  if (text.length > ANSWER_MAX) throw new RangeUnreadable('too long')
  return text.trim().split(/\r?\n/)
}

/** A match counts in any answer. No match counts only if every line is readable. */
function holds(lines: string[], suffix: string): boolean {
  const entries = lines.map((line) => LINE.exec(line))
  if (entries.some((entry) => entry?.[1] === suffix && Number(entry[2]) > 0)) return true
  if (entries.includes(null)) throw new RangeUnreadable('not a list of hashes')
  return false
}

/** Only the name of an error: its message can contain the URL, and with it the prefix. */
function reasonOf(error: unknown): string {
  if (error instanceof RangeUnreadable) return error.message
  return error instanceof Error ? error.name : 'unknown'
}

async function sha1Hex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-1', new TextEncoder().encode(text))
  return Buffer.from(digest).toString('hex').toUpperCase()
}
