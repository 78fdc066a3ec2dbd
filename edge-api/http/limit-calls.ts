import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import { RATE_LIMITS, type RateLimitName } from '../../src/contract/limits.ts'
import { SERVER } from '../../src/contract/messages.ts'
import { accountKey } from '../domain/account/account-key.ts'
import { Refusal } from '../domain/refusal.ts'
import type { AppEnv } from './env.ts'

const WINDOW_SECONDS = 60

/**
 * Bounds a call by the visitor's address and, where the body names one, by e-mail address.
 * When the counter cannot be reached the call is refused: never unlimited.
 */
export function limitCalls(limit: RateLimitName | undefined): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (limit !== undefined) await spendOne(c, limit)
    await next()
  }
}

async function spendOne(c: HonoContext<AppEnv>, limit: RateLimitName): Promise<void> {
  const { ctx } = c.get('services')
  const keys = [`address:${ctx.visitor.address}`]
  const email = await namedEmail(c)
  if (email !== null) keys.push(`email:${accountKey(email)}`)
  for (const key of keys) {
    if (await isAllowed(c, limit, key)) continue
    const quota = RATE_LIMITS[limit]
    c.header('RateLimit-Policy', `"${limit}";q=${quota};w=${WINDOW_SECONDS}`)
    c.header('RateLimit', `"${limit}";r=0;t=${WINDOW_SECONDS}`)
    throw new Refusal('RATE_LIMITED', SERVER.rateLimited, { retryAfterSeconds: WINDOW_SECONDS })
  }
}

async function isAllowed(
  c: HonoContext<AppEnv>,
  limit: RateLimitName,
  key: string,
): Promise<boolean> {
  const { ctx, allow } = c.get('services')
  try {
    return await allow(limit, key)
  } catch (error) {
    ctx.log.error('calls cannot be counted', error, { requestId: c.get('requestId'), limit })
    throw new Refusal('OVERLOADED', SERVER.overloaded, { retryAfterSeconds: WINDOW_SECONDS })
  }
}

/** The address a body names, read before the body is checked; null when there is none. */
async function namedEmail(c: HonoContext): Promise<string | null> {
  if (c.req.method === 'GET' || c.req.header('Content-Type') === undefined) return null
  const body: unknown = await c.req.json().catch(() => null)
  if (typeof body !== 'object' || body === null || !('email' in body)) return null
  return typeof body.email === 'string' ? body.email.slice(0, 300) : null
}
