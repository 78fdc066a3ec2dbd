import { type SQL, sql } from 'drizzle-orm'
import { PURCHASE } from '../../../src/contract/messages.ts'
import { lots } from '../../db/schema/tokens.ts'
import { recordEvent } from '../account/account-event.ts'
import type { Context } from '../context.ts'
import { factsOf } from '../ports/payments.ts'
import { Refusal } from '../refusal.ts'
import { quoteOf, requestRefund, type State } from './core.ts'
import { itemOf } from './item.ts'
import type { Loaded } from './load.ts'
import { newsOf, notifyStatements } from './notify.ts'
import { saveStatements } from './save.ts'
import { atOf, settle } from './settle.ts'
import { withProvider } from './with-provider.ts'

/**
 * The state after a refund by the formula was requested, and the statements that save it, record the event and mail the buyer.
 * Their batch fails with a conflict (save.ts) when money or tokens of the purchase changed meanwhile, or `onlyIf` does not hold.
 */
export function requestStatements(ctx: Context, loaded: Loaded, onlyIf: SQL = sql`true`) {
  const { state: before } = loaded
  const { id, userId } = before.purchase
  const after = requestRefund(before, atOf(ctx, before))
  const detail = { item: itemOf(before.purchase).name }
  // What is given back is all that is left, so tokens that were used meanwhile are a conflict here.
  const isUnused = sql`${before.grant?.left ?? 0} = (SELECT ${lots.left} FROM ${lots} WHERE ${lots.purchaseId} = ${id})`
  return {
    after,
    statements: {
      saved: saveStatements(ctx, loaded, after, sql`${isUnused} AND ${onlyIf}`),
      event: recordEvent(ctx, { userId, kind: 'refund_asked', detail }),
      ...notifyStatements(ctx, after, newsOf(before, after), factsOf({})),
    },
  }
}

/**
 * Asks Razorpay for the refunds of a purchase when its sum is ahead of those known here, and settles them: which money a request
 * takes into account must be known. True when it asked. PAYMENT_PROVIDER_UNAVAILABLE when it gets no answer, or asked before and
 * the sum is still ahead.
 */
export async function listRefunds(ctx: Context, state: State, hasAsked = false): Promise<boolean> {
  if (!quoteOf(state).isUnlisted || state.grant === null) return false
  const { paymentId } = state.grant
  if (hasAsked) {
    ctx.log.alert('a payment contradicts itself', { paymentId, purchaseId: state.purchase.id })
    throw new Refusal('PAYMENT_PROVIDER_UNAVAILABLE', PURCHASE.providerUnavailable)
  }
  const refundsAndDisputes = await withProvider(ctx, () => ctx.payments.refundsOfPayment(paymentId))
  await settle(ctx, state.purchase, factsOf({ refundsAndDisputes }), { cause: 'refund request' })
  return true
}
