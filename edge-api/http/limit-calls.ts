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

type Limited = InBody & Pick<Endpoint, 'limit' | 'limitBy' | 'access'>

/**
 * Limits calls by who makes them: signed-in calls by the session, others by the visitor's IP address; sign-ins also by the email
 * address that they name, and no other call, because strangers would use up the calls of its owner. A browser that the account
 * knows is counted by that alone, so that its user gets in while strangers guess, on its network too; both are bounded by the day as
 * well (domain/sign-in/login.ts). The contract can add the order.
 *
 * What many share has the higher limit `network`: the IP address of signed-in calls, because one person can have many sessions,
 * and one session must not stop the neighbours; and in IPv6 the /48, because many holders of a /48 can pick any of its 65,536
 * /64s. A call with `limitBy: 'session'` in the contract is not counted by it. No limit is for all visitors together: calls that
 * cost a hash wait in a fair queue instead (domain/fair-queue.ts). Answers 503 when a counter does not answer, so that no call
 * goes uncounted.
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
  for (const { name, key } of await countersOf(c, limit, endpoint)) {
    if (await isAllowed(c, name, key)) continue
    c.header('RateLimit-Policy', `"${name}";q=${RATE_LIMITS[name]};w=${WINDOW_SECONDS}`)
    c.header('RateLimit', `"${name}";r=0;t=${WINDOW_SECONDS}`)
    throw new ApiError('RATE_LIMITED', SERVER.rateLimited, { retryAfterSeconds: WINDOW_SECONDS })
  }
}

interface Counter {
  name: RateLimitName
  key: string
}

/** What the caller has alone comes first: calls beyond that use up nothing that others share. */
async function countersOf(
  c: HonoContext<AppEnv>,
  limit: RateLimitName,
  endpoint: Limited,
): Promise<Counter[]> {
  const { access, limitBy } = endpoint
  const { ipAddress, ipPrefix } = c.env.ctx.visitor
  const own = (key: string): Counter => ({ name: limit, key })
  const shared = (key: string): Counter => ({ name: 'network', key: `${limit}:${key}` })
  if (limitBy === 'session') return [own(sessionKey(c))]
  const isNamed = limit === 'signIn' || limitBy === 'order'
  // A malformed sign-in names nobody: it tries no password, so strangers must not use up an account's calls with it.
  const body = isNamed ? readStrictly(endpoint, parseJson(await c.req.text())).data : undefined
  const { email: emailKey, orderId, paymentLinkId: order = orderId } = Named.parse(body)
  const known = emailKey === undefined ? null : await knownBrowserKey(c.env.ctx, emailKey)
  if (known !== null) return [own(known)]
  const counters =
    access === 'session' ? [own(sessionKey(c)), shared(ipAddress)] : [own(`address:${ipAddress}`)]
  if (limit === 'signIn' && emailKey !== undefined) counters.push(own(`email:${emailKey}`))
  if (limitBy === 'order' && order !== undefined) counters.push(own(`order:${order}`))
  if (ipPrefix.endsWith('/48')) counters.push(shared(ipPrefix))
  return counters
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
