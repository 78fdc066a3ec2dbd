import type { Database } from '../db/database.ts'
import type { BreachedPasswords } from './account/breached-passwords.ts'
import type { Brand } from './mail/brand.ts'
import type { Mailer } from './mail/mailer.ts'
import type { PaymentGateway } from './purchase/payment-gateway.ts'
import type { BearerKeys } from './session/bearer.ts'
import type { IdentityProvider } from './session/identity-provider.ts'

/** Money of the emulator, of test keys and of live keys never meets. */
export type MoneyMode = 'live' | 'test' | 'emulator'

/** Who is asking, as far as the network tells. */
export interface Visitor {
  /** The key of rate limits: an IPv4 address, an IPv6 /64, or 'unknown'. */
  address: string
  /** Coarse enough to be kept: IPv4 /24, IPv6 /48. */
  ipPrefix: string
  /** "Firefox on Windows", made from the User-Agent. */
  device: string
}

export type LogFields = Record<string, string | number | boolean | null>

export interface Log {
  info(event: string, fields?: LogFields): void
  /** Something did not work and was done without. */
  warn(event: string, fields?: LogFields): void
  /** For an operator to look at: something needs a hand. */
  alert(event: string, fields?: LogFields): void
  error(event: string, error: unknown, fields?: LogFields): void
}

/** Everything that varies, handed to every verb. Built in services.ts, and by tests. */
export interface Context {
  readonly db: Database
  /** The instant of this request, milliseconds UTC. */
  readonly now: number
  readonly newId: (prefix: string) => string
  readonly randomBytes: (count: number) => Uint8Array<ArrayBuffer>
  readonly visitor: Visitor
  readonly keys: BearerKeys
  readonly payments: PaymentGateway
  readonly mode: MoneyMode
  /** Google, or null where signing in with it is not offered. */
  readonly identity: IdentityProvider | null
  /** A list of breached passwords to ask, or null where none is configured. */
  readonly breaches: BreachedPasswords | null
  readonly mailer: Mailer
  readonly brand: Brand
  /** Where people reach us, without a trailing slash. */
  readonly origin: string
  /** True on a developer's machine: sent mail keeps its secret links for the local mailbox. */
  readonly isLocal: boolean
  readonly log: Log
  /** Work to begin once the answer has left. */
  readonly waitUntil: (work: () => Promise<void>) => void
}
