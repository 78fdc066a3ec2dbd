import type { Hono, MiddlewareHandler } from 'hono'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { SERVER } from '../../src/contract/messages.ts'
import { accountQuery } from '../domain/account/account-query.ts'
import type { Claims } from '../domain/account/bearer.ts'
import { factorsQuery } from '../domain/account/has-factor.ts'
import { requireOperator } from '../domain/account/require-operator.ts'
import type { Context } from '../domain/context.ts'
import { Refusal } from '../domain/refusal.ts'
import type { SessionVerb } from '../domain/verb.ts'
import type { AppEnv } from './env.ts'
import { claimsOf, honoPath, mountSession } from './mount-endpoint.ts'

/**
 * Mounts a call of the desk. Nobody but an operator can tell it from an unknown path: whatever is wrong with the request,
 * the answer to all others is 404. A read checks the operator in its own first batch, as verbs check the session; before
 * a write reads its body, the operator was checked.
 */
export function mountDesk<E extends Endpoint>(
  app: Hono<AppEnv>,
  endpoint: E,
  verb: SessionVerb<E>,
): void {
  app.on(endpoint.method, [honoPath(endpoint)], forOperators)
  mountSession(app, endpoint, verb)
}

/** Answers 404 to everybody but operators, whatever is wrong with the request. */
export const forOperators: MiddlewareHandler<AppEnv> = async (c, next) => {
  const claims = await claimsOf(c)
  if (claims === null) throw new Refusal('NOT_FOUND', SERVER.notFound)
  const isRead = c.req.method === 'GET'
  if (!isRead) await checkOperator(c.env.ctx, claims)
  await next()
  // A read was refused before its verb ran: only an operator may learn why.
  if (isRead && c.res.status === 400) await checkOperator(c.env.ctx, claims)
}

async function checkOperator(ctx: Context, claims: Claims): Promise<void> {
  const { accounts, factors } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    factors: factorsQuery(ctx, claims.userId),
  })
  requireOperator(ctx, accounts, factors)
}
