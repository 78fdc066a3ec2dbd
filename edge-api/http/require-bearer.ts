import type { MiddlewareHandler } from 'hono'
import { AUTH } from '../../src/contract/messages.ts'
import { Refusal } from '../domain/refusal.ts'
import { verifyBearer } from '../domain/session/bearer.ts'
import type { AppEnv } from './env.ts'

/** Lets only genuine, unexpired bearer tokens through; the session row is checked by the verb. */
export const requireBearer: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { keys, now } = c.get('services').ctx
  const [, token] = /^Bearer ([\w.-]+)$/.exec(c.req.header('Authorization') ?? '') ?? []
  const claims = token === undefined ? null : await verifyBearer(keys, token, now)
  if (claims === null) throw new Refusal('UNAUTHENTICATED', AUTH.unauthenticated)
  c.set('claims', claims)
  await next()
}
