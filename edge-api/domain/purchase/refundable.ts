import { and, eq, type SQL, sql } from 'drizzle-orm'
import { REFUND_DAYS } from '../../../src/contract/limits.ts'
import { PURCHASE } from '../../../src/contract/messages.ts'
import {
  REFUND,
  REFUND_MIN_MINOR,
  type RefundQuote,
  REFUNDS_A_YEAR,
} from '../../../src/contract/refund.ts'
import { purchases } from '../../db/schema/purchases.ts'
import { lots } from '../../db/schema/tokens.ts'
import { recordEvent } from '../account/record-event.ts'
import type { Context } from '../context.ts'
import { factsOf } from '../ports/payments.ts'
import { ApiError } from '../api-error.ts'
import { days, toIso, toIsoOrNull } from '../time.ts'
import { withProvider } from './ask-razorpay.ts'
import { quoteOf, requestRefund } from './core/decide.ts'
import { moneyOf } from './core/money-of.ts'
import { isOpenDispute, type PendingRefund, requestedOf, type State } from './core/state.ts'
import { idsWhere, isReturnedByBank, itemOf, type Purchase, purchaseNotFound } from './purchase.ts'
import { type Loaded, type StateRows, stateStatements, statesOf } from './load.ts'
import { newsOf, notifyStatements } from './notify.ts'
import { saveStatements } from './save.ts'
import { atOf, settle } from './settle.ts'

/**
 * By this long after a payment, the fourteenth day after it is over in every time zone: the day of payment does not
 * count, and the last day counts whole (Regulation (EEC) 1182/71, article 3).
 */
export const REFUND_WINDOW_MS = days(REFUND_DAYS + 1)

const YEAR_MS = days(365)

/** What a refund of a purchase depends on besides its own money. */
interface Others {
  /** Whether tokens are left of a pack that was bought with this plan. */
  hasPacks: number
  /** Refunds of any purchase that the buyer requested without us in 365 days. */
  requestedLately: number
}

/** A purchase, and what its refund depends on. */
export interface Refundable extends Loaded {
  hasPacks: boolean
  requestedLately: number
}

/** The statements that read a user's purchase for a refund; `readRefundable` takes their rows. */
export function refundStatements(ctx: Context, userId: string, purchaseId: string) {
  const { now, paymentMode, db } = ctx
  const own = idsWhere(
    ctx,
    and(eq(purchases.id, purchaseId), sql`+${purchases.userId} = ${userId}`),
  )
  return {
    ...stateStatements(ctx, own),
    others: db.all<Others>(sql`
      SELECT EXISTS (
        SELECT 1 FROM purchases k JOIN lots s ON s.purchase_id = k.id AND s.left > 0
        WHERE p.kind = 'plan' AND k.user_id = p.user_id AND k.kind = 'token_pack'
          AND k.paid_at >= p.paid_at AND k.payment_mode = p.payment_mode
      ) AS hasPacks, (
        SELECT count(*) FROM purchases k JOIN owed_refunds y ON y.purchase_id = k.id
        WHERE k.user_id = p.user_id AND k.kind IN ('plan', 'token_pack')
          AND k.paid_at > ${now - YEAR_MS - REFUND_WINDOW_MS} AND k.payment_mode = ${paymentMode}
          AND y.reason = 'asked_for' AND y.created_at > ${now - YEAR_MS}
          AND NOT EXISTS (
            SELECT 1 FROM desk_acts a WHERE a.user_id = k.user_id AND a.kind = 'refund' AND a.subject = k.id
          )
      ) AS requestedLately
      FROM purchases p WHERE p.id = ${purchaseId} AND +p.user_id = ${userId}`),
  }
}

/** NOT_FOUND when the purchase is not the user's. */
export function readRefundable(rows: StateRows & { others: Others[] }): Refundable {
  const [loaded] = statesOf(rows)
  const [others] = rows.others
  if (loaded === undefined || others === undefined) throw purchaseNotFound()
  const { hasPacks, requestedLately } = others
  return { ...loaded, hasPacks: hasPacks === 1, requestedLately }
}

/** When all of a requested refund was sent; null until then, and if the bank returned the payment instead. */
export function sentAtOf({ doneAt }: PendingRefund, purchase: Purchase, refundedMinor: number) {
  return isReturnedByBank(purchase, refundedMinor) ? null : toIsoOrNull(doneAt)
}

/** Whether a bank disputes the payment behind the tokens: until that ends, it decides what is refunded. */
export function isDisputed({ state: { grant, disputes } }: Loaded): boolean {
  return disputes.some((one) => one.paymentId === grant?.paymentId && isOpenDispute(one))
}

/** The refund as its buyer may see it. NOTHING_TO_CHANGE with the reason when there is none. */
export function refundOf(refundable: Refundable, now: number): RefundQuote {
  const { purchase, grant } = refundable.state
  const requested = requestedOf(refundable.state)
  if (grant === null) throw reject(REFUND.notPaid)
  const quote = quoteOf(refundable.state)
  const { refunded } = moneyOf(refundable.state, grant.paymentId)
  if (requested === undefined) {
    if (isDisputed(refundable)) throw reject(REFUND.disputed)
    if (purchase.status === 'refunded') throw reject(REFUND.refunded)
    if (grant.grantedAt + REFUND_WINDOW_MS <= now) throw reject(REFUND.over)
    if (grant.left === 0) throw reject(REFUND.nothingUnused)
    if (quote.amountMinor < REFUND_MIN_MINOR) throw reject(REFUND.tooLittle)
    if (refundable.hasPacks) throw reject(REFUND.packsFirst)
    if (refundable.requestedLately >= REFUNDS_A_YEAR) throw reject(REFUND.often)
  }
  return {
    purchaseId: purchase.id,
    item: itemOf(purchase).name,
    kind: purchase.kind,
    price: purchase.amountMinor,
    currency: purchase.currency,
    tokens: purchase.tokens,
    unusedTokens: requested?.tokens ?? quote.tokens,
    amount: requested?.amountMinor ?? quote.amountMinor,
    until: toIso(grant.grantedAt + days(REFUND_DAYS)),
    askedAt: toIsoOrNull(requested?.createdAt ?? null),
    sentAt: requested ? sentAtOf(requested, purchase, refunded) : null,
  }
}

const reject = (reason: string) => new ApiError('NOTHING_TO_CHANGE', reason)

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
    throw new ApiError('PAYMENT_PROVIDER_UNAVAILABLE', PURCHASE.providerUnavailable)
  }
  const refunds = await withProvider(ctx, () => ctx.payments.refundsOfPayment(paymentId))
  await settle(ctx, state.purchase, factsOf({ refunds }), { cause: 'refund request' })
  return true
}
