import type { DisputeFact, Facts, PaymentFact, RefundFact } from '../../ports/payments.ts'
import type { Purchase } from '../purchase.ts'
import { isSentFor } from './refund-key.ts'
import { byBeginning, mapRows, put, withChanges } from './rows.ts'
import { type At, type Dispute, isOrderOf, type Payment, type Refund, type State } from './state.ts'

/** The state with what Razorpay reported: of its payments, and of the refunds and disputes of those. */
export function applyFacts(state: State, facts: Facts, { now }: At): State {
  const purchase = bindLinkOrder(state.purchase, facts)
  const reported = facts.payments.reduce(
    (list, fact) => applyPayment(purchase, list, fact, now),
    state.payments,
  )
  const payments = mapRows(reported, (payment) =>
    isNamedByAnother(purchase, payment, facts) ? inConflict(payment, now) : payment,
  )
  const isOfPayment = ({ paymentId }: { paymentId: string }) =>
    payments.some(({ id }) => id === paymentId)
  const refunds = facts.refunds
    .filter(isOfPayment)
    .reduce((list, fact) => applyRefund(list, fact, now), state.refunds)
  const disputes = facts.disputes
    .filter(isOfPayment)
    .reduce((list, fact) => applyDispute(list, fact, now), state.disputes)
  const pendingRefunds = mapRows(state.pendingRefunds, (pending) => {
    const sent = refunds.filter((refund) => isSentFor(refund, pending))
    // After failures it was sent more than once: the last counts.
    return withChanges(pending, { refundId: sent.toSorted(byBeginning).at(-1)?.id ?? null })
  })
  return withChanges(state, { purchase, payments, refunds, disputes, pendingRefunds })
}

/** Razorpay makes the order of a link when its page is opened. It is the one that comes with the link, or names this purchase. */
function bindLinkOrder(purchase: Purchase, facts: Facts): Purchase {
  if (purchase.razorpayLinkOrderId !== null) return purchase
  const ofLink = facts.linkOrders.filter(({ linkId }) => linkId === purchase.razorpayLinkId)
  const named = facts.orders.filter(({ purchaseId }) => purchaseId === purchase.id)
  const orderIds = [...ofLink, ...named].map(({ razorpayOrderId }) => razorpayOrderId)
  const razorpayLinkOrderId = orderIds.find((id) => id !== purchase.razorpayOrderId) ?? null
  return withChanges(purchase, { razorpayLinkOrderId })
}

const PAYMENT_STEPS: readonly Payment['status'][] = ['created', 'failed', 'authorized', 'captured']

/**
 * The payments with this report. The status and the refunded sum of a payment only grow. A payment that is reported with another
 * amount, currency or order than before is marked in conflict (`conflictAt`): it brings no tokens from then on, and a person refunds it.
 */
function applyPayment(
  purchase: Purchase,
  payments: readonly Payment[],
  fact: PaymentFact,
  now: number,
): readonly Payment[] {
  const isOwn = isOrderOf(purchase, fact.razorpayOrderId)
  if (!isOwn && !payments.some(({ id }) => id === fact.paymentId)) return payments
  const report = {
    id: fact.paymentId,
    purchaseId: purchase.id,
    razorpayOrderId: fact.razorpayOrderId,
    amountMinor: fact.amountMinor,
    currency: fact.currency,
    status: fact.status,
    amountRefundedMinor: fact.amountRefundedMinor,
    refundedMinor: 0,
    lostMinor: 0,
    pendingRefundMinor: 0,
    beganAt: fact.beganAt,
    method: fact.method,
    isInternational: fact.isInternational,
    errorReason: fact.errorReason,
    conflictAt: null,
    createdAt: now,
    updatedAt: now,
  }
  return put(payments, report, (stored) => {
    const next = isOwn ? grow(stored, report) : stored
    return isSamePayment(stored, report) ? next : inConflict(next, now)
  })
}

function grow(stored: Payment, report: Payment): Payment {
  const grown = withChanges(stored, {
    status: furthest(PAYMENT_STEPS, stored.status, report.status),
    amountRefundedMinor: Math.max(stored.amountRefundedMinor, report.amountRefundedMinor),
  })
  if (grown === stored) return stored
  return {
    ...grown,
    beganAt: stored.beganAt ?? report.beganAt,
    method: stored.method ?? report.method,
    isInternational: stored.isInternational ?? report.isInternational,
    errorReason: stored.errorReason ?? report.errorReason,
    updatedAt: report.updatedAt,
  }
}

function isSamePayment(one: Payment, other: Payment): boolean {
  return (
    one.amountMinor === other.amountMinor &&
    one.currency === other.currency &&
    one.razorpayOrderId === other.razorpayOrderId
  )
}

/** Whether the order of a payment says that it is of another purchase. */
function isNamedByAnother(purchase: Purchase, payment: Payment, { orders }: Facts): boolean {
  return orders.some(
    ({ razorpayOrderId, purchaseId }) =>
      razorpayOrderId === payment.razorpayOrderId && purchaseId !== purchase.id,
  )
}

function inConflict(payment: Payment, now: number): Payment {
  return withChanges(payment, { conflictAt: payment.conflictAt ?? now })
}

const REFUND_STEPS: readonly Refund['state'][] = ['pending', 'processed', 'failed']

/** A refund only moves forward. One that failed stays as it is. */
function applyRefund(refunds: readonly Refund[], fact: RefundFact, now: number) {
  return put(refunds, { ...fact, createdAt: now, updatedAt: now }, (stored) => {
    if (fact.paymentId !== stored.paymentId || stored.state === 'failed') return stored
    const moved = withChanges(stored, {
      state: furthest(REFUND_STEPS, stored.state, fact.state),
      amountMinor: Math.max(stored.amountMinor, fact.amountMinor),
      currency: fact.currency,
      reason: stored.reason ?? fact.reason,
    })
    return moved === stored ? stored : { ...moved, updatedAt: now }
  })
}

const DISPUTE_STEPS: readonly Dispute['state'][] = ['inquiry', 'open', 'won', 'lost']

/** A dispute goes back and forth: its latest report counts, and of two at one instant the further one. */
function applyDispute(disputes: readonly Dispute[], fact: DisputeFact, now: number) {
  const report = { ...fact, asOf: fact.asOf ?? now, createdAt: now, updatedAt: now }
  return put(disputes, report, (stored) => {
    const isFurther = DISPUTE_STEPS.indexOf(report.state) > DISPUTE_STEPS.indexOf(stored.state)
    const isNews = report.asOf > stored.asOf || (report.asOf === stored.asOf && isFurther)
    if (report.paymentId !== stored.paymentId || !isNews) return stored
    return { ...report, beganAt: stored.beganAt, createdAt: stored.createdAt }
  })
}

function furthest<Step>(steps: readonly Step[], one: Step, other: Step): Step {
  return steps.indexOf(one) >= steps.indexOf(other) ? one : other
}
