import type { Context as HonoContext, Hono, MiddlewareHandler } from 'hono'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import type { Call, PublicVerb, SessionVerb } from '../domain/verb.ts'
import { limitBody, requireMediaType, validateBody } from './body.ts'
import type { AppEnv } from './env.ts'
import { readIdempotencyKey } from './idempotency-key.ts'
import { limitCalls } from './limit-calls.ts'
import { requireBearer } from './require-bearer.ts'
import { validate, validInput } from './valid-input.ts'

/** Mounts a call anybody may make: rate limit, checks of the input, the verb, its answer. */
export function mountPublic<E extends Endpoint>(
  app: Hono<AppEnv>,
  endpoint: E,
  verb: PublicVerb<E>,
): void {
  mountAnswer(app, endpoint, async (c, call) => c.json(await verb(c.get('services').ctx, call)))
}

/** The same for a call whose route answers with more than JSON: a redirect, a cookie. */
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

/** Mounts a call that needs a session. Without a genuine bearer token nothing else is looked at. */
export function mountSession<E extends Endpoint>(
  app: Hono<AppEnv>,
  endpoint: E,
  verb: SessionVerb<E>,
): void {
  const paths = [honoPath(endpoint)]
  app.on(endpoint.method, paths, requireBearer)
  app.on(endpoint.method, paths, ...guards(endpoint))
  app.on(endpoint.method, paths, async (c) => {
    const idempotencyKey = readIdempotencyKey(c, endpoint)
    const call = { ...validInput(c, endpoint), idempotencyKey, claims: c.get('claims') }
    return c.json(await verb(c.get('services').ctx, call))
  })
}

/** `{token}` of the contract is `:token` in Hono. */
export function honoPath(endpoint: Pick<Endpoint, 'path'>): string {
  return endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** In the order of what is cheapest to refuse. */
function guards(endpoint: Endpoint): MiddlewareHandler<AppEnv>[] {
  const name: MiddlewareHandler<AppEnv> = async (c, next) => {
    c.set('route', `${endpoint.method} ${endpoint.path}`)
    await next()
  }
  return [
    name,
    limitBody,
    requireMediaType(endpoint),
    limitCalls(endpoint),
    validate('param', endpoint.params),
    validate('query', endpoint.query),
    validateBody(endpoint),
  ]
}
