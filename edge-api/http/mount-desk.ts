import type { Hono, MiddlewareHandler } from 'hono'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { SERVER } from '../../src/contract/messages.ts'
import { requireOperator } from '../domain/account/require-operator.ts'
import { Refusal } from '../domain/refusal.ts'
import type { OperatorVerb } from '../domain/verb.ts'
import type { AppEnv } from './env.ts'
import { claimsOf, mountGuarded } from './mount-endpoint.ts'

/**
 * Mounts a call of the desk. Nobody but an operator can tell it from an unknown path: whatever is wrong with the request,
 * the answer to all others is 404.
 */
export function mountDesk<E extends Endpoint>(
  app: Hono<AppEnv>,
  endpoint: E,
  verb: OperatorVerb<E>,
): void {
  mountGuarded(app, endpoint, {
    admit: forOperators,
    answer: (c, call) => verb(c.env.ctx, { ...call, operator: c.get('operator') }),
  })
}

const forOperators: MiddlewareHandler<AppEnv> = async (c, next) => {
  const claims = await claimsOf(c)
  if (claims === null) throw new Refusal('NOT_FOUND', SERVER.notFound)
  c.set('operator', await requireOperator(c.env.ctx, claims))
  c.set('claims', claims)
  await next()
}
