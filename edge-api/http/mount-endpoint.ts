import type { Context as HonoContext, Hono, MiddlewareHandler } from 'hono'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { AUTH, SERVER } from '../../src/contract/messages.ts'
import { verifyBearer } from '../domain/crypto/sign.ts'
import type { Context, Claims } from '../domain/context.ts'
import { ApiError } from '../domain/api-error.ts'
import type { Call, PublicHandler, SessionHandler, StreamHandler } from '../domain/handler.ts'
import type { AppEnv } from './env.ts'
import { limitBody, readIdempotencyKey, readParts, requireMediaType } from './input.ts'
import { limitCalls } from './limit-calls.ts'
import { jsonHeaders } from './security-headers.ts'

/** Mounts a public endpoint: rate limit, validation, handler, JSON answer. */
export function mountPublic<E extends Endpoint>(
  app: Hono<AppEnv>,
  endpoint: E,
  handler: PublicHandler<E>,
): void {
  mountAnswer(app, endpoint, async (c, call) =>
    inJson(await handler(c.env.ctx, { ...call, claims: await findClaims(c) })),
  )
}

/** Mounts an endpoint whose route makes the answer itself, such as a redirect or a cookie. The other functions build on it. */
export function mountAnswer<E extends Endpoint>(
  app: Hono<AppEnv>,
  endpoint: E,
  answer: (c: HonoContext<AppEnv>, call: Call<E>) => Promise<Response>,
): void
export function mountAnswer(
  app: Hono<AppEnv>,
  endpoint: Endpoint,
  answer: (c: HonoContext<AppEnv>, call: Call<Endpoint>) => Promise<Response>,
): void {
  const paths = [honoPath(endpoint)]
  app.on(endpoint.method, paths, ...checksOf(endpoint))
  app.on(endpoint.method, paths, ...readParts(endpoint), (c) =>
    answer(c, {
      params: c.req.valid('param'),
      query: c.req.valid('query'),
      body: c.req.valid('json') ?? c.req.valid('form'),
      idempotencyKey: readIdempotencyKey(c, endpoint),
    }),
  )
}

/** Mounts an endpoint for signed-in users. */
export function mountSession<E extends Endpoint>(
  app: Hono<AppEnv>,
  endpoint: E,
  handler: SessionHandler<E>,
): void {
  mountAnswer(app, endpoint, async (c, call) =>
    inJson(await handler(c.env.ctx, { ...call, claims: c.get('claims') })),
  )
}

/** Mounts an endpoint for signed-in users whose answer is streamed. After a failure what has arrived is not JSON. */
export function mountStream<E extends Endpoint>(
  app: Hono<AppEnv>,
  endpoint: E,
  handler: StreamHandler<E>,
): void {
  if (endpoint.isStreamed !== true) throw new Error(`${endpoint.path} is not streamed`)
  mountAnswer(app, endpoint, async (c, call) => {
    const stream = await handler(c.env.ctx, { ...call, claims: c.get('claims') })
    return new Response(stream, { headers: jsonHeaders() })
  })
}

/**
 * Answers 401 unless the bearer token is genuine and unexpired, and 403 to an app's unless the call is for apps. The handler
 * checks the session row.
 */
function requireBearer({ forApps = false }: Endpoint): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const claims = await findClaims(c)
    if (claims === null) throw new ApiError('UNAUTHENTICATED', AUTH.unauthenticated)
    const isApps = claims.approvedBy !== undefined
    if (isApps && !forApps) throw new ApiError('NOT_FOR_APPS', SERVER.notForApps)
    c.set('claims', claims)
    await next()
  }
}

/** The claims of the request's bearer token, or null without a genuine, unexpired one. */
async function findClaims(c: HonoContext<AppEnv>): Promise<Claims | null> {
  const { keys, now } = c.env.ctx
  const [, token] = /^bearer +([\w.-]+)$/i.exec(c.req.header('Authorization') ?? '') ?? []
  return token === undefined ? null : verifyBearer(keys, token, now)
}

/** The checks that the endpoint needs: first who calls, then the rest with the cheapest first. */
function checksOf(endpoint: Endpoint): MiddlewareHandler<AppEnv>[] {
  const mayHaveBody = endpoint.method !== 'GET'
  return [
    nameRoute(endpoint),
    ...(endpoint.access === 'session' ? [requireBearer(endpoint)] : []),
    ...(mayHaveBody ? [limitBody(endpoint), requireMediaType(endpoint)] : []),
    limitCalls(endpoint),
  ]
}

/** The path in Hono's syntax: `{token}` becomes `:token`. */
export function honoPath(endpoint: Pick<Endpoint, 'path'>): string {
  return endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** Names the route for the log. */
export function nameRoute({
  method,
  path,
}: Pick<Endpoint, 'method' | 'path'>): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    c.set('route', `${method} ${path}`)
    await next()
  }
}

/** A handler whose module the first call loads: an isolate starts sooner without modules that most never use. */
export function onDemand<Name extends string, Call, Answer>(
  load: () => Promise<
    Readonly<Record<NoInfer<Name>, (ctx: Context, call: Call) => Promise<Answer>>>
  >,
  name: Name,
) {
  return async (ctx: Context, call: Call): Promise<Answer> => (await load())[name](ctx, call)
}

/** Answers with a success. It is quicker than `c.json`, which sets each header by itself. */
function inJson(success: unknown): Response {
  return new Response(JSON.stringify(success), { headers: jsonHeaders() })
}
