import type { RateLimitName } from '../../src/contract/limits.ts'
import type { Context } from '../domain/context.ts'
import type { Claims } from '../domain/account/signed.ts'
import type { Operator } from '../domain/account/require-operator.ts'

/** Counts calls: true while `key` is within its limit. Throws when the counter cannot be reached. */
export type RateLimiter = (limit: RateLimitName, key: string) => Promise<boolean>

/** The types of Hono's context. */
export interface AppEnv {
  /** What the Worker hands to the app with each request, as `c.env`. */
  Bindings: {
    ctx: Context
    allow: RateLimiter
  }
  /** Set by the middlewares in http/. */
  Variables: {
    requestId: string
    /** Set by `requireBearer`, for the calls that need a session. */
    claims: Claims
    /** Set by `forOperators`, for the calls of the desk. */
    operator: Operator
    /** The path's pattern in the contract. It is logged instead of the URL, which can contain a secret. */
    route: string
  }
}
