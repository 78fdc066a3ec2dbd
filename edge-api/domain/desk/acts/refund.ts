import { DESK_ACT } from '../../../../src/contract/desk-acts.ts'
import { REFUND_MIN_MINOR } from '../../../../src/contract/refund.ts'
import type { Operator } from '../../account/require-operator.ts'
import type { Context } from '../../context.ts'
import { formatMoney, inFigures } from '../../format-money.ts'
import { quoteOf } from '../../purchase/core.ts'
import { itemOf } from '../../purchase/item.ts'
import { recordCause } from '../../purchase/record-cause.ts'
import {
  isDisputed,
  readRefundable,
  refundStatements,
  type Refundable,
  requestedOf,
} from '../../purchase/refund-quote.ts'
import { listRefunds, requestStatements } from '../../purchase/request-refund.ts'
import { isConflict } from '../../purchase/save.ts'
import { sendPendingRefunds } from '../../purchase/send-pending-refunds.ts'
import { type ActOf, hasChanged, targetQuery, type PlannedAct, refuse } from '../planned-act.ts'

type About = ActOf<'refund'>

/**
 * Does what the buyer's own refund does, also when their 14 days are over: the unused share goes back and a plan ends. Any other
 * amount is refunded in Razorpay's dashboard, and the webhook brings it here.
 */
export async function planRefund(
  ctx: Context,
  about: About,
  operator: Operator,
): Promise<PlannedAct> {
  const refundable = await read(ctx, about)
  if (await listRefunds(ctx, refundable.state)) return planRefund(ctx, about, operator)
  const { purchase } = refundable.state
  const { kind, currency, tokens, status } = purchase
  if (refundable.state.grant === null) throw refuse(DESK_ACT.notPaid)
  if (isDisputed(refundable)) throw refuse(DESK_ACT.disputed)
  if (requestedOf(refundable) !== undefined) throw refuse(DESK_ACT.askedBack)
  if (status === 'refunded') throw refuse(DESK_ACT.refunded)
  const quote = quoteOf(refundable.state)
  if (quote.tokens === 0) throw refuse(DESK_ACT.nothingUnused)
  if (quote.amountMinor < REFUND_MIN_MINOR) throw refuse(DESK_ACT.tooLittle)
  const price = formatMoney(purchase.amountMinor, currency)
  const unused = inFigures(quote.tokens)
  const isCapped = Math.round((purchase.amountMinor * quote.tokens) / tokens) > quote.amountMinor
  return {
    changes: [
      `${inFull(quote.amountMinor, currency)} of ${itemOf(purchase).name} is refunded: ${price} × ${unused} unused tokens ÷ ${inFigures(tokens)}${isCapped ? ', but no more than is left of the payment' : ''}.`,
      `The ${unused} unused tokens are removed now.`,
      ...(kind === 'plan' ? ['The plan ends now.'] : []),
      ...(refundable.hasPacks
        ? ['The customer keeps the tokens of packs that were bought with it.']
        : []),
      'The customer gets an email now, and another when the money is sent.',
    ],
    subject: purchase.id,
    carryOut: async (entry) => {
      const { statements } = requestStatements(ctx, refundable)
      const cause = `operator ${operator.username}`
      try {
        await ctx.db.batch({
          ...statements,
          written: entry.write(),
          cause: recordCause(ctx, purchase.id, cause),
        })
      } catch (error) {
        if (isConflict(error)) throw hasChanged()
        throw error
      }
      ctx.waitUntil(() => sendPendingRefunds(ctx))
    },
  }
}

async function read(ctx: Context, { userId, purchaseId }: About): Promise<Refundable> {
  const { targets, ...rows } = await ctx.db.batch({
    targets: targetQuery(ctx, userId),
    ...refundStatements(ctx, userId, purchaseId),
  })
  const refundable = readRefundable(rows)
  if (targets.length === 0) throw refuse(DESK_ACT.deleted)
  return refundable
}

const MINOR_NAMES = { USD: 'cents', INR: 'paise' } as const

/** `USD 20.00 (2,000 cents)`: so that nobody mistakes one for the other. */
function inFull(amountMinor: number, currency: 'USD' | 'INR'): string {
  return `${formatMoney(amountMinor, currency)} (${inFigures(amountMinor)} ${MINOR_NAMES[currency]})`
}
