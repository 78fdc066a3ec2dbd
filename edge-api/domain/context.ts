import type { Release } from '../../src/contract/release.ts'
import type { Database } from '../db/database.ts'
import type { Queues } from './fair-queue.ts'
import type { ProviderAsks } from './provider-asks.ts'
import type { BreachedPasswords } from './ports/breached-passwords.ts'
import type { IdentityProvider } from './ports/identity.ts'
import type { Log } from './ports/log.ts'
import type { Mailer } from './ports/mailer.ts'
import type { AlertWebhook } from './ports/alert-webhook.ts'
import type { PaymentGateway, PaymentMode } from './ports/payments.ts'

/** The sender of a request, from its address and User-Agent. */
export interface Visitor {
  /** What rate limits count by: an IPv4 address, an IPv6 /64, or 'unknown'. */
  ipAddress: string
  /** Coarse enough to store: IPv4 /24, IPv6 /48. */
  ipPrefix: string
  /** "Firefox on Windows", made from the User-Agent. */
  device: string
  /** The country of the connection (ISO 3166): "IN". Left out when Cloudflare does not say. */
  country?: string
}

interface DeviceCookie {
  /** As the browser sent it; '' without one. */
  readonly given: string
  /** Hands the browser a cookie to send with later calls. */
  readonly keep: (cookie: string) => void
}

/** The first key signs; all verify, so that a secret can be rotated without signing anybody out. */
export type SigningKeys = readonly [SigningKey, ...SigningKey[]]

/** Signs bearer tokens and other values; hashes and encryption take their keys from it too. */
export interface SigningKey {
  kid: string
  secret: Uint8Array
}

/** The claims of a bearer token. Only the database knows whether its session is still open. */
export interface Claims {
  userId: string
  sessionId: string
  /** Only in the token of a desktop app: the session that approved it. */
  approvedBy?: string
}

/** What scrypt costs: N = 2^log2N blocks of r × 128 bytes, p times. */
export interface HashCost {
  readonly log2N: number
  readonly r: number
  readonly p: number
}

/** The seller's registration for GST; prices include the tax. `rate` in basis points, `state` by its GST code. */
export interface Tax {
  readonly gstin: string
  readonly sac: string
  readonly rate: number
  readonly state: string
  readonly lut: string
}

/** Names and addresses of the product's owner, for mails. site/brand.ts holds the values. */
export interface Brand {
  readonly productName: string
  readonly legalEntity: string
  readonly supportEmail: string
  readonly place: { readonly city: string; readonly region: string; readonly country: string }
  readonly seller: {
    readonly street: string
    readonly postalCode: string
    readonly tax: Tax | null
  }
  readonly careersEmail: string
  /** Where mail to the site's operator goes. */
  readonly operatorEmail: string
  readonly mailFrom: string
  /** Hex colours, for mails and the payment window. */
  readonly colour: Readonly<Record<'paper' | 'ink' | 'muted' | 'line', string>>
}

/** The dependencies of every handler. services.ts builds it for the Worker, and tests build their own. */
export interface Context {
  readonly db: Database
  /** The instant of this request, milliseconds UTC. */
  readonly now: number
  /** The wall clock, milliseconds UTC: for jobs, which go on long after `now`. Handlers use `now`. */
  readonly clock: () => number
  /** Waits this many milliseconds, for jobs that let others use the database between their steps. */
  readonly pause: (ms: number) => Promise<void>
  readonly newId: (prefix: string) => string
  readonly randomBytes: (count: number) => Uint8Array<ArrayBuffer>
  readonly visitor: Visitor
  /** The cookie by which an account recognises the visitor's browser (account/device-cookie.ts). */
  readonly deviceCookie: DeviceCookie
  /** What costs more than a read waits in them: password hashes, exports, asking Razorpay on request, searches. */
  readonly queues: Queues
  /** How often Razorpay is asked on request. */
  readonly providerAsks: ProviderAsks
  /** What a new password hash costs. */
  readonly hashCost: HashCost
  readonly keys: SigningKeys
  /** The key under which trials are remembered. It is never rotated, so nobody gets a second trial. */
  readonly trialKey: SigningKey
  readonly payments: PaymentGateway
  readonly paymentMode: PaymentMode
  /** Google, or null where signing in with it is not offered. */
  readonly identity: IdentityProvider | null
  /** A list of breached passwords to ask, or null where none is configured. */
  readonly breaches: BreachedPasswords | null
  readonly mailer: Mailer
  readonly alertWebhook: AlertWebhook
  readonly brand: Brand
  /** The releases of the desktop app, the newest first. */
  readonly releases: readonly Release[]
  /** The site's origin, without a trailing slash. */
  readonly origin: string
  /** The origin of the admin pages: the site's, unless they have a host of their own. */
  readonly adminOrigin: string
  /** True on a developer's machine: sent mail keeps its secret links for the local mailbox. */
  readonly isLocal: boolean
  readonly log: Log
  /** Runs work after the answer is sent. */
  readonly waitUntil: (work: () => Promise<void>) => void
}
