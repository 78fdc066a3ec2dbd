import type { BreachedPasswords } from '../../domain/ports/breached-passwords.ts'
import type { Log } from '../../domain/ports/log.ts'
import { rangeLookup } from './range-lookup.ts'

export interface BreachEnv {
  ENVIRONMENT: string
  /** Off when unset; without a path of its own `/range/…` follows. */
  BREACHED_PASSWORDS_URL?: string | undefined
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/** The list of breached passwords, or null when none is configured; of an address that is none the operator is told. */
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

/** Encrypted, or this very machine's for a developer. */
function isAllowed(url: URL, { ENVIRONMENT }: BreachEnv): boolean {
  if (url.username !== '' || url.search !== '' || url.hash !== '') return false
  if (url.protocol === 'https:') return true
  return ENVIRONMENT !== 'production' && LOOPBACK.includes(url.hostname)
}
