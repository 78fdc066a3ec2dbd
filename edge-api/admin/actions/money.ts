import { REFUND_MIN_MINOR } from '../../../src/contract/refund.ts'
import { Id } from '../../../src/contract/text.ts'
import { z } from '../../../src/contract/zod.ts'
import { formatMoney, inFigures } from '../../domain/format-money.ts'
import {
  disputesOf,
  fetchDisputes,
  fetchFacts,
  withProvider,
} from '../../domain/purchase/ask-razorpay.ts'
import { quoteOf } from '../../domain/purchase/core/decide.ts'
import { requestedOf } from '../../domain/purchase/core/state.ts'
import { itemOf, purchaseOfUser, requirePurchase } from '../../domain/purchase/purchase.ts'
import {
  isDisputed,
  listRefunds,
  readRefundable,
  type Refundable,
  refundStatements,
  requestStatements,
} from '../../domain/purchase/refundable.ts'
import { isConflict, recordCause } from '../../domain/purchase/save.ts'
import { sendPendingRefunds } from '../../domain/purchase/send-pending-refunds.ts'
import { settle } from '../../domain/purchase/settle.ts'
import {
  type AdminContext,
  CHANGED,
  counted,
  defineAccountAction,
  defineAction,
  pageOf,
  reject,
} from './action.ts'

/**
 * Gives money of a purchase back by the formula of the buyer's own refund, also when their 14 days are over: the unused
 * share goes back and a plan ends. Any other amount is refunded in Razorpay's dashboard.
 */
const refund = defineAccountAction({
  kind: 'refund',
  label: 'Refund',
  input: z.object({ purchase: Id }),
  plan: async (ctx, { id: userId }, { purchase: purchaseId }) => {
    const refundable = await read(ctx, userId, purchaseId)
    const { purchase } = refundable.state
    const { kind, currency, tokens, amountMinor } = purchase
    const no = whyNot(refundable)
    if (no !== null) throw reject(no)
    const quote = quoteOf(refundable.state)
    const unused = inFigures(quote.tokens)
    const isCapped = Math.round((amountMinor * quote.tokens) / tokens) > quote.amountMinor
    return {
      changes: [
        `${inFull(quote.amountMinor, currency)} of ${itemOf(purchase).name} is refunded: ${formatMoney(amountMinor, currency)} × ${unused} unused tokens ÷ ${inFigures(tokens)}${isCapped ? ', but no more than is left of the payment' : ''}.`,
        `The ${unused} unused tokens are removed now.`,
        ...(kind === 'plan' ? ['The plan ends now.'] : []),
        ...(refundable.hasPacks
          ? ['The customer keeps the tokens of packs that were bought with it.']
          : []),
      ],
      notification: 'The customer gets an email now, and another when the money is sent.',
      subject: purchaseId,
      execute: async (entry) => {
        const { statements } = requestStatements(ctx, refundable)
        try {
          await ctx.db.batch({
            ...statements,
            written: entry.write(),
            cause: recordCause(ctx, purchaseId, `admin ${ctx.admin}`),
          })
        } catch (error) {
          throw isConflict(error) ? reject(CHANGED) : error
        }
        ctx.waitUntil(() => sendPendingRefunds(ctx))
      },
    }
  },
})

/** What can be refunded of a purchase, after Razorpay's refunds of it are listed. */
async function read(
  ctx: AdminContext,
  userId: string,
  purchaseId: string,
  hasAsked = false,
): Promise<Refundable> {
  const rows = await ctx.db.batch(refundStatements(ctx, userId, purchaseId))
  const refundable = readRefundable(rows)
  const isAsked = await listRefunds(ctx, refundable.state, hasAsked)
  return isAsked ? read(ctx, userId, purchaseId, true) : refundable
}

/** Why the formula refunds nothing; null when it does. */
function whyNot(refundable: Refundable): string | null {
  const { grant, purchase } = refundable.state
  if (grant === null) return 'Nothing was paid for this purchase.'
  if (isDisputed(refundable)) {
    return 'The bank is disputing this payment and decides what is refunded. Answer the dispute.'
  }
  if (requestedOf(refundable.state) !== undefined) return 'A refund was already requested.'
  if (purchase.status === 'refunded') return 'All of this payment has already gone back.'
  const quote = quoteOf(refundable.state)
  if (quote.tokens === 0) return `All of its tokens have been used. ${BY_HAND}`
  return quote.amountMinor < REFUND_MIN_MINOR ? 'Razorpay refunds no less than 1.00.' : null
}

const BY_HAND =
  'To refund any amount, open the payment in Razorpay’s dashboard: the webhook brings the result here.'

const MINOR_NAMES = { USD: 'cents', INR: 'paise' } as const

/** `USD 20.00 (2,000 cents)`: so that nobody mistakes one for the other. */
function inFull(amountMinor: number, currency: 'USD' | 'INR'): string {
  return `${formatMoney(amountMinor, currency)} (${inFigures(amountMinor)} ${MINOR_NAMES[currency]})`
}

/**
 * Asks Razorpay about a purchase and settles what it says, as the reconcile job does when the purchase is due, and also about its
 * disputes that we know. A dispute that we never heard of is found by the audit: Razorpay lists none of a payment.
 */
const askProvider = defineAction({
  kind: 'ask_provider',
  label: 'Ask Razorpay now',
  input: z.object({ user: Id, purchase: Id }),
  plan: async (ctx, { user: userId, purchase: purchaseId }) => {
    const { rows, disputes } = await ctx.db.batch({
      rows: purchaseOfUser(ctx, userId, purchaseId),
      disputes: disputesOf(ctx, purchaseId),
    })
    const purchase = requirePurchase(rows)
    const { sku, status, amountMinor, currency } = purchase
    const what = `${sku.replaceAll('_', ' ')} for ${formatMoney(amountMinor, currency)}`
    return {
      changes: [
        `We ask Razorpay about ${what}, which is "${status}" here.`,
        'Its answer is settled like a webhook: tokens, receipt and refunds follow.',
        disputes.length === 0
          ? 'We know no dispute of it. The daily audit asks for those that we do not know.'
          : `We also ask about ${counted(disputes.length, 'dispute')} of it.`,
      ],
      notification: 'What follows from the answer: an email with the receipt, or about a refund.',
      userId,
      home: pageOf(userId),
      subject: purchaseId,
      execute: async (entry) => {
        const facts = await withProvider(
          ctx,
          async () => ({
            ...(await fetchFacts(ctx, purchase)),
            disputes: await fetchDisputes(ctx, disputes),
          }),
          'Razorpay does not answer. Nothing was changed. Try again in a minute.',
        )
        const cause = `admin ${ctx.admin}`
        return settle(ctx, purchase, facts, { cause, also: [entry.write()] })
      },
    }
  },
})

/** What is done to the money of a purchase. */
export const MONEY_ACTIONS = [refund, askProvider]
