import type { RateLimitName } from '../../src/contract/limits.ts'
import type { Context, Claims } from '../domain/context.ts'
import type { Assets } from './serve-shell.ts'

/** Counts calls: true while `key` is within its limit. Throws when the counter cannot be reached. */
export type RateLimiter = (limit: RateLimitName, key: string) => Promise<boolean>

/** What the admin pages need. Without `team` and `audience` they are closed. */
export interface AdminPages {
  /** The origin of the team at Cloudflare Access: it issues the assertions and serves the keys. */
  team: string
  audience: string
  /** The only host of the admin pages; '' for any. */
  host: string
  /** With which a developer's machine plays Access; null elsewhere. */
  localKey: Uint8Array | null
  assets: Assets
}

/** The types of Hono's context. */
export interface AppEnv {
  /** What the Worker hands to the app with each request, as `c.env`. */
  Bindings: {
    ctx: Context
    allow: RateLimiter
    /** Left out where there are no admin pages. */
    adminPages?: AdminPages
  }
  /** Set by the middlewares in http/. */
  Variables: {
    requestId: string
    /** Set by `requireBearer`, for the calls that need a session. */
    claims: Claims
    /** The path's pattern in the contract. It is logged instead of the URL, which can contain a secret. */
    route: string
  }
}
