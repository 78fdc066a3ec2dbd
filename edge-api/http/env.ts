import type { Claims } from '../domain/session/bearer.ts'
import type { Context } from '../domain/context.ts'
import type { RateLimitName } from '../../src/contract/limits.ts'

/** Counts calls: true while `key` is within its limit. Throws when the counter cannot be reached. */
export type RateLimiter = (limit: RateLimitName, key: string) => Promise<boolean>

/** What the Worker's composition root hands to the app for each request. */
export interface RequestServices {
  ctx: Context
  allow: RateLimiter
}

/** The types of Hono's context: variables set by the middlewares in http/. */
export interface AppEnv {
  Variables: {
    services: RequestServices
    requestId: string
    /** Set by `requireBearer`, for the calls that need a session. */
    claims: Claims
    /** The path as the contract writes it: what may be logged, unlike the address itself. */
    route: string
  }
}
