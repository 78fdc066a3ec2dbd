import type { Context as HonoContext, Hono, MiddlewareHandler } from 'hono'
import { type Endpoint, Nothing } from '../../src/contract/endpoint.ts'
import { AUTH, SERVER } from '../../src/contract/messages.ts'
import { IdempotencyKey } from '../../src/contract/purchase.ts'
import { Refusal } from '../domain/refusal.ts'
import { type Claims, verifyBearer } from '../domain/account/bearer.ts'
import type { Call, PublicVerb, SessionVerb } from '../domain/verb.ts'
import { limitBody, requireMediaType, validateBody } from './body.ts'
import type { AppEnv } from './env.ts'
import { limitCalls } from './limit-calls.ts'
import { jsonHeaders } from './security-headers.ts'
import { validate, validInput } from './valid-input.ts'

/** Mounts a public endpoint: rate limit, validation, verb, JSON answer. */
export function mountPublic<E extends Endpoint>(
  app: Hono<AppEnv>,
  endpoint: E,
  verb: PublicVerb<E>,
): void {
  mountAnswer(app, endpoint, async (c, call) => inJson(await verb(c.env.ctx, call)))
}

/** Mounts a public endpoint whose route makes the answer itself: a redirect or a cookie. */
export function mountAnswer<E extends Endpoint>(
  app: Hono<AppEnv>,
  endpoint: E,
  answer: (c: HonoContext<AppEnv>, call: Call<E>) => Promise<Response>,
): void {
  const paths = [honoPath(endpoint)]
  app.on(endpoint.method, paths, ...guards(endpoint))
  app.on(endpoint.method, paths, (c) => {
    const idempotencyKey = readIdempotencyKey(c, endpoint)
    return answer(c, { ...validInput(c, endpoint), idempotencyKey })
  })
}

/** Mounts an endpoint for signed-in users. */
export function mountSession<E extends Endpoint>(
  app: Hono<AppEnv>,
  endpoint: E,
  verb: SessionVerb<E>,
): void {
  mountGuarded(app, endpoint, {
    admit: requireBearer,
    answer: (c, call) => verb(c.env.ctx, { ...call, claims: c.get('claims') }),
  })
}

interface Guarded<E extends Endpoint> {
  /** Refuses whoever may not call. */
  admit: MiddlewareHandler<AppEnv>
  answer: (c: HonoContext<AppEnv>, call: Call<E>) => Promise<unknown>
}

/** Mounts an endpoint that is not for everybody. Nothing else of the request is read before `admit` let it pass. */
export function mountGuarded<E extends Endpoint>(
  app: Hono<AppEnv>,
  endpoint: E,
  { admit, answer }: Guarded<E>,
): void {
  app.on(endpoint.method, [honoPath(endpoint)], nameRoute(endpoint), admit)
  mountAnswer(app, endpoint, async (c, call) => inJson(await answer(c, call)))
}

/** The path in Hono's syntax: `{token}` becomes `:token`. */
export function honoPath(endpoint: Pick<Endpoint, 'path'>): string {
  return endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** Names the route for the log. */
function nameRoute({ method, path }: Endpoint): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    c.set('route', `${method} ${path}`)
    await next()
  }
}

/** Answers with a success. It is quicker than `c.json`, which sets each header by itself. */
function inJson(success: unknown): Response {
  return new Response(JSON.stringify(success), { headers: jsonHeaders() })
}

/** Of the checks those that the endpoint needs, the cheapest first. */
function guards(endpoint: Endpoint): MiddlewareHandler<AppEnv>[] {
  const { method, limit, params, query } = endpoint
  const mayHaveBody = method !== 'GET'
  return [
    nameRoute(endpoint),
    ...(mayHaveBody ? [limitBody(endpoint), requireMediaType(endpoint)] : []),
    ...(limit === undefined ? [] : [limitCalls(endpoint)]),
    ...(params === Nothing ? [] : [validate('param', params)]),
    ...(query === Nothing ? [] : [validate('query', query)]),
    ...(mayHaveBody ? [validateBody(endpoint)] : []),
  ]
}

/** Answers 401 unless the bearer token is genuine and unexpired. The verb checks the session row. */
const requireBearer: MiddlewareHandler<AppEnv> = async (c, next) => {
  const claims = await claimsOf(c)
  if (claims === null) throw new Refusal('UNAUTHENTICATED', AUTH.unauthenticated)
  c.set('claims', claims)
  await next()
}

/** The claims of the request's bearer token, or null without a genuine, unexpired one. */
export async function claimsOf(c: HonoContext<AppEnv>): Promise<Claims | null> {
  const { keys, now } = c.env.ctx
  const [, token] = /^Bearer ([\w.-]+)$/.exec(c.req.header('Authorization') ?? '') ?? []
  return token === undefined ? null : verifyBearer(keys, token, now)
}

/** The `Idempotency-Key` header, or null when it is absent or the endpoint does not honour it. */
function readIdempotencyKey(c: HonoContext, endpoint: Endpoint): string | null {
  const header = c.req.header('Idempotency-Key')
  if (header === undefined || endpoint.idempotent !== true) return null
  const parsed = IdempotencyKey.safeParse(header)
  if (parsed.success) return parsed.data
  throw new Refusal('VALIDATION_FAILED', SERVER.validation, {
    errors: [{ path: 'Idempotency-Key', msg: 'Use 1 to 100 printable ASCII characters' }],
  })
}
