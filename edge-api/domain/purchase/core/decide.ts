/**
 * The money of one purchase, decided without a database, a clock or Razorpay:
 *
 *     load the rows  →  decide(state, facts, at)  →  write the rows that differ
 *
 * Nothing is changed in place: each function returns the next state, in which every row that stayed as it was is the same object.
 * It returns the given state if no row changed.
 */
import { ORDER_DAYS } from '../../../../src/contract/limits.ts'
import type { Facts } from '../../ports/payments.ts'
import { days, hours } from '../../time.ts'
import type { Purchase } from '../purchase.ts'
import { applyFacts } from './apply-facts.ts'
import { issueNotes, taxIn } from './credit-notes.ts'
import { moneyOf } from './money-of.ts'
import { EXPIRES_AFTER_MS, nextCheckOf } from './next-check.ts'
import { byArrival, isOf, mapRows, withChanges } from './rows.ts'
import {
  type At,
  type Grant,
  isOpenDispute,
  isOrderOf,
  type Payment,
  type PendingRefund,
  type Plan,
  requestedOf,
  type State,
} from './state.ts'

/**
 * The state after these facts, and after everything that follows from them. Without facts (five empty lists) only `at` and
 * the buyer can change something. The same facts in any order, any number of times, end with the same totals, if a payment
 * is reported before or with its refunds. Of two valid payments the first to arrive brings the tokens. Facts about other purchases
 * change nothing, with one exception: a payment whose order names another purchase is in conflict.
 */
export function decide(state: State, facts: Facts, at: At): State {
  const reported = applyFacts(state, facts, at)
  const granted = grantTokens(reported, at)
  const withRefunds = addExtraRefunds(granted, at)
  return recompute(withRefunds, at)
}

// --- What is granted, and what is to be refunded -----------------------------------------------------------------------

/**
 * Grants the tokens once, for the first captured payment that is what the purchase asks for, is in time and is not to be refunded.
 * "Once" is within this state: save.ts fails when another caller changed the buyer's money meanwhile.
 */
function grantTokens(state: State, { now }: At): State {
  const { purchase, buyer, payments, pendingRefunds } = state
  if (state.grant !== null || buyer.isDeleted) return state
  if (purchase.kind === 'plan' && hasActivePlan(buyer.plans, now)) return state
  // A pack needs its plan: none while the latest plan is reversed and no other is active. (Without any plan, none can be ordered.)
  if (purchase.kind === 'token_pack' && hasReversedPlan(buyer.plans, now)) return state
  const payment = payments
    .filter(({ id, status }) => status === 'captured' && !pendingRefunds.some(isOf(id)))
    .toSorted(byArrival)
    .find((captured) => matches(captured, purchase) && !isLate(captured, purchase))
  if (payment === undefined) return state
  const { tokens } = purchase
  const grant = { paymentId: payment.id, tokens, reversed: 0, left: tokens, grantedAt: now }
  return { ...state, grant }
}

/**
 * Adds a pending refund for captured money that was not granted. These are all the cases in which money is to be refunded, by
 * their `reason`:
 *
 *     mismatch          whole payment   another amount, currency or order than the purchase's, or in conflict; a person sends it
 *     deleted_account   whole payment   the buyer deleted the account, and nothing was granted
 *     late              whole payment   it began more than seven days after the order
 *     excess            whole payment   another payment was granted, another plan is active, or the plan of the pack was reversed
 *     asked_for         unused tokens   the buyer requested it, or an admin did (requestRefund)
 *
 * All money that ever left a whole payment covers its refund (`deducted` is empty). So a payment that Razorpay had sent back when
 * we learned of it gets a row that is done at once.
 */
function addExtraRefunds(state: State, at: At): State {
  const { purchase, grant, payments, pendingRefunds } = state
  const extra = payments.filter(
    ({ id, status }) =>
      status === 'captured' && id !== grant?.paymentId && !pendingRefunds.some(isOf(id)),
  )
  if (extra.length === 0) return state
  const added = extra.map((payment) =>
    newPendingRefund(purchase, at, {
      paymentId: payment.id,
      reason: whyExtra(payment, state),
      amountMinor: payment.amountMinor,
      tokens: 0,
      deducted: [],
    }),
  )
  return { ...state, pendingRefunds: [...pendingRefunds, ...added] }
}

function whyExtra(payment: Payment, { purchase, buyer, grant }: State): PendingRefund['reason'] {
  if (!matches(payment, purchase)) return 'mismatch'
  if (buyer.isDeleted && grant === null) return 'deleted_account'
  return isLate(payment, purchase) ? 'late' : 'excess'
}

type NewPendingRefund = Pick<
  PendingRefund,
  'paymentId' | 'reason' | 'amountMinor' | 'tokens' | 'deducted'
>

function newPendingRefund(
  { id: purchaseId }: Purchase,
  { now }: At,
  pending: NewPendingRefund,
): PendingRefund {
  // Part of the key alone.
  const number = pending.reason === 'asked_for' ? 1 : 0
  const id = `refund-${pending.paymentId}-${number}`
  const dueAt = pending.reason === 'mismatch' ? null : now
  const unsent = {
    attempts: 0,
    refundId: null,
    doneAt: null,
    notifiedAt: null,
    endNotifiedAt: null,
  }
  return { ...pending, ...unsent, id, number, purchaseId, createdAt: now, dueAt }
}

// --- What follows ------------------------------------------------------------------------------------------------------

/**
 * The state with everything that follows from its money, computed anew. Examples, of 100 that were paid for a plan with 1,000
 * tokens of which none is used. The plan is off while `reversedAt` is set:
 *
 *                                 tokens reversed   plan   status     pending refund
 *     50 are refunded by hand     500               on     paid       –
 *         … and that fails        0                 on     paid       –
 *     a refund is requested       1,000             off    paid       100, due at once
 *         … it is sent            1,000             off    refunded   done
 *         … and it fails          1,000             off    paid       due again after an hour, after 4 with two attempts, after 9 …
 *     a bank disputes 50          500               off    paid       –
 *         … and we win it         0                 on     paid       –
 *         … or we lose it         500               on     paid       –
 *     we lose a dispute of 100    1,000             off    refunded   –
 */
export function recompute(given: State, at: At): State {
  // 1. Which pending refunds are done, and the sums of each payment.
  const pendingRefunds = mapRows(given.pendingRefunds, (one) => updateDone(given, one, at.now))
  let state = withChanges(given, { pendingRefunds })
  const payments = mapRows(state.payments, (payment) => withSums(state, payment))
  state = withChanges(state, { payments })
  // 2. The receipt of a grant, its tokens, and the credit notes.
  const { amountMinor } = state.purchase
  const issued = { ...at.sale, ...taxIn(amountMinor, at.sale), issuedAt: at.now }
  const receipt = state.receipt ?? (state.grant === null ? null : issued)
  state = withChanges(state, { receipt, grant: moveTokens(state) })
  state = withChanges(state, { creditNotes: issueNotes(state, at.now) })
  // 3. The columns of the purchase, the next check last: it depends on the status.
  const status = statusOf(state, at.now)
  const paidAt = state.grant?.grantedAt ?? null
  const reversedAt = reversedAtOf(state, status)
  const verifiedAt = verifiedAtOf(state, at)
  const purchase = withChanges(state.purchase, { status, paidAt, reversedAt, verifiedAt })
  const nextCheckAt = nextCheckOf({ ...state, purchase }, at)
  return withChanges(state, { purchase: withChanges(purchase, { nextCheckAt }) })
}

/** A pending refund is done once it is covered. If a refund that covered it fails, it is due again, after a longer wait each time. */
function updateDone(state: State, pending: PendingRefund, now: number): PendingRefund {
  const isCovered = moneyOf(state, pending.paymentId).outstanding === 0
  if (isCovered === (pending.doneAt !== null)) return pending
  if (isCovered) return { ...pending, doneAt: now, dueAt: null }
  const again = now + hours(1) * Math.max(1, pending.attempts ** 2)
  return { ...pending, doneAt: null, dueAt: pending.reason === 'mismatch' ? null : again }
}

/** Where the money of a payment went, in columns that lists read. */
function withSums(state: State, payment: Payment): Payment {
  const { refunded, lost, outstanding } = moneyOf(state, payment.id)
  return withChanges(payment, {
    refundedMinor: refunded,
    lostMinor: lost,
    pendingRefundMinor: outstanding,
  })
}

/**
 * Reverses the tokens that are due and unused, or restores those that are not due any more. Due tokens that were used are missing,
 * and no other tokens pay for them.
 */
function moveTokens(state: State): Grant | null {
  if (state.grant === null) return null
  const { reversed, left } = state.grant
  const more = Math.min(tokensDue(state) - reversed, left)
  return withChanges(state.grant, { reversed: reversed + more, left: left - more })
}

/**
 * The tokens that must be taken back: those that the buyer gave back with a request, and for the other money that was refunded, lost
 * or is disputed its share of the tokens, rounded down; all of them once all of the money is. Example, of 1,000 that were paid for
 * 1,000 tokens of which 400 are used: 100 are refunded by hand, so 100 tokens are due. Then 500 are requested for the other 500
 * tokens, so 600 are due, and still 600 when these 500 are refunded: the money that covers a request takes no share.
 */
export function tokensDue(state: State): number {
  const { grant, purchase } = state
  if (grant === null) return 0
  const { refunded, disputed, covered } = moneyOf(state, grant.paymentId)
  const returned = refunded + disputed
  if (returned >= purchase.amountMinor) return grant.tokens
  const share = Math.floor((grant.tokens * (returned - covered)) / purchase.amountMinor)
  return Math.min(grant.tokens, (requestedOf(state)?.tokens ?? 0) + share)
}

/**
 * The first of these that is true:
 *
 *     refunded     the payment of the grant was refunded or lost in full, or its requested refund was sent
 *     paid         a payment was granted
 *     refunded     each captured payment was refunded or lost in full; none was granted
 *     review       a captured payment that was not granted is still to be refunded
 *     authorized   Razorpay may still capture a payment
 *     expired      nothing was paid within 96 hours
 *     attempted    there are payments, and each failed or was sent back before it was captured
 *     open         it can be paid
 */
function statusOf(state: State, now: number): Purchase['status'] {
  const { purchase, grant, payments } = state
  const captured = payments.filter(({ status }) => status === 'captured')
  if (grant !== null) {
    const isSent = requestedOf(state)?.doneAt != null
    const isGone = captured.some((payment) => payment.id === grant.paymentId && hasLeft(payment))
    return isSent || isGone ? 'refunded' : 'paid'
  }
  if (captured.length > 0) return captured.every(hasLeft) ? 'refunded' : 'review'
  if (payments.some(isOnItsWay)) return 'authorized'
  if (purchase.createdAt + EXPIRES_AFTER_MS <= now) return 'expired'
  const isAttempted = payments.length > 0 && payments.every(({ status }) => status !== 'created')
  return isAttempted ? 'attempted' : 'open'
}

/** Whether all money of a payment was refunded or lost. */
const hasLeft = ({ refundedMinor, lostMinor, amountMinor }: Payment) =>
  refundedMinor + lostMinor >= amountMinor

/** Whether Razorpay may still capture it: it sends back what nobody captured. */
const isOnItsWay = (payment: Payment) => payment.status === 'authorized' && !hasLeft(payment)

/**
 * Since when a purchase does not count: since its refund was requested, all of its payment was refunded or lost, or a bank
 * disputes it. A part that was refunded or lost for good leaves it as it is. Until the purchase counts again the instant never
 * moves to later. Example: a bank disputes half on day 1, the other half is refunded on day 10, and the dispute is lost on day
 * 12: it does not count since day 1. A dispute that is opened again counts from its first day.
 */
function reversedAtOf(state: State, status: Purchase['status']): number | null {
  const { purchase, grant, disputes } = state
  if (grant === null) return null
  const requested = requestedOf(state)
  if (requested !== undefined) return requested.createdAt
  const reversals = disputes
    .filter(isOf(grant.paymentId))
    .filter(isOpenDispute)
    .map(({ beganAt }) => beganAt)
  if (status === 'refunded') {
    // All of it was gone with the last part.
    const { outflows } = moneyOf(state, grant.paymentId)
    reversals.push(Math.max(...outflows.map(({ beganAt }) => beganAt)))
  }
  if (reversals.length === 0) return null
  return Math.min(purchase.reversedAt ?? Infinity, ...reversals)
}

/** When a signature last proved a payment; null once that money was sent back, and no other is on its way. */
function verifiedAtOf({ purchase, payments }: State, { now, verifiedPayment }: At): number | null {
  const isSentBack = (payment: Payment) =>
    payment.status !== 'failed' && payment.refundedMinor >= payment.amountMinor
  const verified = payments.find(({ id }) => id === verifiedPayment)
  const isProof = verifiedPayment !== undefined && (verified === undefined || !isSentBack(verified))
  const verifiedAt = isProof ? now : purchase.verifiedAt
  if (verifiedAt === null || payments.some(isOnItsWay)) return verifiedAt
  const isOver = payments.some((payment) => isSentBack(payment) && payment.updatedAt >= verifiedAt)
  return isOver ? null : verifiedAt
}

// --- What is refunded at a buyer's request -----------------------------------------------------------------------------

/**
 * What the buyer would get back for the unused tokens: their share of the price, to the nearest minor unit, but no more than
 * is left of the payment. While `isUnlisted`, Razorpay must be asked to list its refunds before any is requested.
 */
export function quoteOf(state: State) {
  const { grant, purchase } = state
  if (grant === null) return { tokens: 0, amountMinor: 0, leftMinor: 0, isUnlisted: false }
  const { refunded, lost, outstanding, unlisted } = moneyOf(state, grant.paymentId)
  const leftMinor = Math.max(0, purchase.amountMinor - refunded - lost - outstanding)
  const price = Math.round((purchase.amountMinor * grant.left) / grant.tokens)
  const amountMinor = Math.min(leftMinor, price)
  return { tokens: grant.left, amountMinor, leftMinor, isUnlisted: unlisted > 0 }
}

/** Gives the unused tokens back for what `quoteOf` says. Possible once for each payment that was granted. */
export function requestRefund(state: State, at: At): State {
  const { grant, pendingRefunds } = state
  const { tokens, amountMinor, isUnlisted } = quoteOf(state)
  if (grant === null || amountMinor === 0) throw new Error('there is nothing to refund')
  if (isUnlisted) throw new Error('Razorpay must be asked for the refunds first')
  const { paymentId } = grant
  if (requestedOf(state) !== undefined) throw new Error('it was requested before')
  const requested = newPendingRefund(state.purchase, at, {
    paymentId,
    reason: 'asked_for',
    amountMinor,
    tokens,
    deducted: moneyOf(state, paymentId).outflows.map(({ id }) => id),
  })
  return recompute({ ...state, pendingRefunds: [...pendingRefunds, requested] }, at)
}

// --- Predicates ------------------------------------------------------------------------------------------------------

/** Whether a payment is what the purchase asks for. */
function matches(payment: Payment, purchase: Purchase): boolean {
  return (
    payment.amountMinor === purchase.amountMinor &&
    payment.currency === purchase.currency &&
    payment.conflictAt === null &&
    isOrderOf(purchase, payment.razorpayOrderId)
  )
}

/** Razorpay accepts payments of an order for ever; we sell at its price for seven days. */
function isLate({ beganAt }: Payment, { createdAt }: Purchase): boolean {
  return beganAt !== null && beganAt > createdAt + days(ORDER_DAYS)
}

/** Whether the latest plan that was not reversed has not ended. */
function hasActivePlan(plans: readonly Plan[], now: number): boolean {
  const latest = lastPaid(plans.filter(({ isReversed }) => !isReversed))
  return latest !== undefined && latest.endsAt > now
}

/** Whether the latest plan was reversed, and none is active. */
function hasReversedPlan(plans: readonly Plan[], now: number): boolean {
  return lastPaid(plans)?.isReversed === true && !hasActivePlan(plans, now)
}

const lastPaid = (plans: readonly Plan[]) =>
  plans.toSorted((one, other) => one.paidAt - other.paidAt).at(-1)
