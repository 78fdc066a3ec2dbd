import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { RATE_LIMITS, type RateLimitName } from '../../src/contract/limits.ts'
import { SERVER } from '../../src/contract/messages.ts'
import { RazorpayLinkId, RazorpayOrderId } from '../../src/contract/purchase.ts'
import { parseJson } from '../../src/contract/parse-json.ts'
import { z } from '../../src/contract/zod.ts'
import { emailKeyOf } from '../domain/account/address.ts'
import { knownBrowserKey } from '../domain/account/device-cookie.ts'
import { ApiError } from '../domain/api-error.ts'
import type { AppEnv } from './env.ts'
import { type InBody, readStrictly } from './input.ts'

const WINDOW_SECONDS = 60
/** How the keys of IP addresses begin. */
const ADDRESS = 'address:'

type Limited = InBody & Pick<Endpoint, 'limit' | 'limitBy' | 'access'>

/**
 * Limits calls by the visitor's IP address and by the session; sign-ins also by the email address that they name, and no other
 * call, because strangers would use up the calls of its owner. A browser that the account knows is counted by that alone, so
 * that its user gets in while strangers guess, on its network too; both are bounded by the day as well (domain/sign-in/login.ts).
 * The contract can add the order, or count by the session alone. In IPv6 a /48 network also has a limit, because many holders of a
 * /48 can pick any of its 65,536 /64s. No limit is for all visitors together: calls that cost a hash wait in a fair queue instead
 * (domain/fair-queue.ts). Answers 503 when a counter does not answer, so that no call goes uncounted.
 */
export function limitCalls(endpoint: Limited): MiddlewareHandler<AppEnv> {
  const { limit } = endpoint
  return async (c, next) => {
    if (limit !== undefined) await countCall(c, limit, endpoint)
    await next()
  }
}

async function countCall(
  c: HonoContext<AppEnv>,
  limit: RateLimitName,
  endpoint: Limited,
): Promise<void> {
  const { ipPrefix } = c.env.ctx.visitor
  const keys = await keysOf(c, endpoint)
  const counters = keys.map((key) => ({ name: limit, key }))
  if (ipPrefix.endsWith('/48') && keys.some((key) => key.startsWith(ADDRESS))) {
    counters.push({ name: 'network', key: `${limit}:${ipPrefix}` })
  }
  for (const { name, key } of counters) {
    if (await isAllowed(c, name, key)) continue
    c.header('RateLimit-Policy', `"${name}";q=${RATE_LIMITS[name]};w=${WINDOW_SECONDS}`)
    c.header('RateLimit', `"${name}";r=0;t=${WINDOW_SECONDS}`)
    throw new ApiError('RATE_LIMITED', SERVER.rateLimited, { retryAfterSeconds: WINDOW_SECONDS })
  }
}

async function keysOf(c: HonoContext<AppEnv>, endpoint: Limited): Promise<string[]> {
  const { access, limit, limitBy } = endpoint
  if (limitBy === 'session') return [sessionKey(c)]
  const isNamed = limit === 'signIn' || limitBy === 'order'
  // A malformed sign-in names nobody: it tries no password, so strangers must not use up an account's calls with it.
  const body = isNamed ? readStrictly(endpoint, parseJson(await c.req.text())).data : undefined
  const { email: emailKey, orderId, paymentLinkId: order = orderId } = Named.parse(body)
  const known = emailKey === undefined ? null : await knownBrowserKey(c.env.ctx, emailKey)
  if (known !== null) return [known]
  const keys = [ADDRESS + c.env.ctx.visitor.ipAddress]
  if (limit === 'signIn' && emailKey !== undefined) keys.push(`email:${emailKey}`)
  if (access === 'session') keys.push(sessionKey(c))
  if (limitBy === 'order' && order !== undefined) keys.push(`order:${order}`)
  return keys
}

/**
 * A session and the apps that it approved. Sessions are counted apart, so that nobody with the token of one, which may
 * have ended, uses up the calls of the others.
 */
function sessionKey(c: HonoContext<AppEnv>): string {
  const { approvedBy, sessionId } = c.get('claims')
  return `session:${approvedBy ?? sessionId}`
}

async function isAllowed(
  c: HonoContext<AppEnv>,
  limit: RateLimitName,
  key: string,
): Promise<boolean> {
  const { ctx, allow } = c.env
  try {
    return await allow(limit, key)
  } catch (error) {
    ctx.log.error('calls cannot be counted', error, { requestId: c.get('requestId'), limit })
    throw new ApiError('OVERLOADED', SERVER.overloaded, { retryAfterSeconds: WINDOW_SECONDS })
  }
}

/** The fields by which a call is counted; none when the body is malformed. */
const Named = z
  .object({
    email: z.string().transform(emailKeyOf),
    orderId: RazorpayOrderId,
    paymentLinkId: RazorpayLinkId,
  })
  .partial()
  .catch({})
