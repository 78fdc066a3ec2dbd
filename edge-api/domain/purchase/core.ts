/**
 * The money of one purchase, decided without a database, a clock or Razorpay:
 *
 *     load the rows  →  decide(state, facts, at)  →  write the rows that differ
 *
 * Amounts are in minor units, instants in milliseconds UTC. Nothing here is changed in place: each function returns the next
 * state, in which every row that stayed as it was is the same object, and returns the given state when nothing changed.
 */
import { ORDER_DAYS } from '../../../src/contract/limits.ts'
import type * as rows from '../../db/schema/purchases.ts'
import type { Facts, PaymentFact, RefundOrDispute as Report } from '../ports/payments.ts'
import { days, hours, minutes } from '../time.ts'
import { CLAIM_MS, EXPIRES_AFTER_MS, nextCheckAfter } from './check-schedule.ts'

/** Everything that a decision about a purchase depends on: its rows, and what its buyer is. */
export interface State {
  purchase: Purchase
  buyer: Buyer
  /** Payments of this purchase's orders, in order of arrival. */
  payments: readonly Payment[]
  refunds: readonly RefundOrDispute[]
  disputes: readonly RefundOrDispute[]
  /** What we still have to send, or have sent, oldest first for each payment. A job sends it. */
  pendingRefunds: readonly PendingRefund[]
  grant: Grant | null
  receipt: Receipt | null
  creditNotes: readonly CreditNote[]
}

type Purchase = typeof rows.purchases.$inferSelect
export type Payment = typeof rows.payments.$inferSelect
export type RefundOrDispute = typeof rows.refundsAndDisputes.$inferSelect
/** Without whether its buyer was mailed, which decides nothing. */
export type PendingRefund = Omit<typeof rows.pendingRefunds.$inferSelect, 'toldAt' | 'endToldAt'>

export interface Buyer {
  isDeleted: boolean
  name: string
  email: string
  /** The other plans that the buyer paid for. */
  plans: readonly Plan[]
}

export interface Plan {
  paidAt: number
  endsAt: number
  /** Refunded in full, its refund requested, or disputed. */
  isReversed: boolean
}

/** The tokens of the purchase: `tokens = reversed + left + used`. */
export interface Grant {
  paymentId: string
  tokens: number
  /** Reversed so far, because money was refunded or disputed. */
  reversed: number
  left: number
  grantedAt: number
}

type Taxed = Pick<typeof rows.receipts.$inferSelect, 'cgstMinor' | 'sgstMinor' | 'igstMinor'>
type Sale = Pick<typeof rows.receipts.$inferSelect, 'supply' | 'taxRate'>
/** Receipts and credit notes get their numbers when they are written. */
export type Receipt = Taxed & Sale & { issuedAt: number }
export type CreditNote = Taxed &
  Pick<
    typeof rows.creditNotes.$inferSelect,
    'refundId' | 'isCancellation' | 'amountMinor' | 'issuedAt'
  >

/** What a decision depends on besides the state. */
export interface At {
  now: number
  /** How the purchase is taxed today. */
  sale: Sale
  /** The payment that a signature proves, and of which Razorpay may not have told us yet. */
  provenPayment?: string | undefined
}

/**
 * Learns facts, and everything that follows from them. With empty lists, only what follows from the time and the buyer. The same
 * facts in any order, any number of times, end with the same totals, if a payment is told before or with its refunds; of two valid
 * payments the first to arrive is granted. The facts name no order or payment of another purchase.
 */
export function decide(state: State, facts: Facts, at: At): State {
  return conclude(refundExtra(grantOnce(learn(state, facts, at), at), at), at)
}

/**
 * What the buyer would get back for the unused tokens: their share of the price, to the nearest minor unit, but no more than
 * is left of the payment. While `isUnlisted`, Razorpay must be asked for its refunds before any is requested.
 */
export function quoteOf(state: State) {
  const { grant, purchase } = state
  if (grant === null) return { tokens: 0, amountMinor: 0, leftMinor: 0, isUnlisted: false }
  const { refunded, lost, pending, unlisted } = moneyOf(state, grant.paymentId)
  const leftMinor = Math.max(0, purchase.amountMinor - refunded - lost - pending)
  const price = Math.round((purchase.amountMinor * grant.left) / grant.tokens)
  const amountMinor = Math.min(leftMinor, price)
  return { tokens: grant.left, amountMinor, leftMinor, isUnlisted: unlisted > 0 }
}

/** Gives the unused tokens back for what `quoteOf` says. Once for the payment that was granted. */
export function requestRefund(state: State, at: At): State {
  const { grant, pendingRefunds } = state
  const { tokens, amountMinor, isUnlisted } = quoteOf(state)
  if (grant === null || amountMinor === 0) throw new Error('there is nothing to refund')
  if (isUnlisted) throw new Error('Razorpay must be asked for the refunds first')
  const { paymentId } = grant
  const own = pendingRefunds.filter(isOf(paymentId))
  if (own.some(({ reason }) => reason === 'asked_for')) throw new Error('it was requested before')
  const requested = newPendingRefund(state.purchase, at, {
    paymentId,
    number: 1 + Math.max(0, ...own.map(({ number }) => number)),
    reason: 'asked_for',
    amountMinor,
    tokens,
    before: moneyOf(state, paymentId).returned.map(({ id }) => id),
  })
  return conclude({ ...state, pendingRefunds: [...pendingRefunds, requested] }, at)
}

// --- What Razorpay told us ---------------------------------------------------------------------------------------------

function learn(state: State, facts: Facts, { now }: At): State {
  const purchase = bindOrders(state.purchase, facts)
  const known = facts.payments.reduce(
    (payments, fact) => learnPayment(purchase, payments, fact, now),
    state.payments,
  )
  const payments = mapRows(known, (payment) =>
    isNamedByAnother(purchase, payment, facts) ? inConflict(payment, now) : payment,
  )
  const kinds = new Map([...state.refunds, ...state.disputes].map(({ id, kind }) => [id, kind]))
  const reports = facts.refundsAndDisputes.filter(
    ({ id, kind, paymentId }) =>
      payments.some((payment) => payment.id === paymentId) && (kinds.get(id) ?? kind) === kind,
  )
  const learnKind = (kind: Report['kind'], stored: readonly RefundOrDispute[], merge: Merge) =>
    reports
      .filter((report) => report.kind === kind)
      .map((report) => toRow(report, now))
      .reduce((list, row) => put(list, row, (old) => merge(old, row)), stored)
  const refunds = learnKind('refund', state.refunds, moveRefund)
  const disputes = learnKind('dispute', state.disputes, moveDispute)
  const pendingRefunds = mapRows(state.pendingRefunds, (one) => learnSent(one, refunds, reports))
  return withChanges(state, { purchase, payments, refunds, disputes, pendingRefunds })
}

/** An order that names this purchase is the checkout's, or the link's if the checkout has one. Each is bound once. */
function bindOrders(purchase: Purchase, facts: Facts): Purchase {
  const { razorpayOrderId: order, razorpayLinkOrderId: linkOrder } = purchase
  const own = facts.orders.filter(({ purchaseId }) => purchaseId === purchase.id)
  const ofLink = facts.linkOrders.filter(({ linkId }) => linkId === purchase.razorpayLinkId)
  const firstBut = (taken: string | null, list: readonly { razorpayOrderId: string }[]) =>
    list.find(({ razorpayOrderId }) => razorpayOrderId !== taken)?.razorpayOrderId ?? null
  const razorpayOrderId = order ?? firstBut(linkOrder, own)
  const razorpayLinkOrderId = linkOrder ?? firstBut(razorpayOrderId, [...ofLink, ...own])
  return withChanges(purchase, { razorpayOrderId, razorpayLinkOrderId })
}

const PAYMENT_STEPS: readonly Payment['status'][] = ['created', 'failed', 'authorized', 'captured']

/**
 * What is known of a payment only grows. One that is told with another amount, currency or order is marked with `conflictAt`: from
 * then on it is never granted, and refunded by hand.
 */
function learnPayment(
  purchase: Purchase,
  known: readonly Payment[],
  fact: PaymentFact,
  now: number,
): readonly Payment[] {
  const { paymentId: id, razorpayOrderId, amountMinor, currency, status } = fact
  const isOwn = isOrderOf(purchase, razorpayOrderId)
  if (!isOwn && !known.some((payment) => payment.id === id)) return known
  const report = {
    id,
    purchaseId: purchase.id,
    razorpayOrderId,
    amountMinor,
    currency,
    status,
    amountRefundedMinor: fact.amountRefundedMinor,
    refundedMinor: 0,
    lostMinor: 0,
    pendingRefundMinor: 0,
    baseAmountMinor: fact.baseAmountMinor,
    baseCurrency: fact.baseCurrency,
    beganAt: fact.beganAt,
    method: fact.method,
    isInternational: fact.isInternational,
    errorReason: fact.errorReason,
    conflictAt: null,
    createdAt: now,
    updatedAt: now,
  }
  return put(known, report, (stored) => {
    const next = isOwn ? grow(stored, report) : stored
    return isSamePayment(stored, report) ? next : inConflict(next, now)
  })
}

function grow(stored: Payment, report: Payment): Payment {
  const grown = withChanges(stored, {
    status: furthest(PAYMENT_STEPS, stored.status, report.status),
    amountRefundedMinor: Math.max(stored.amountRefundedMinor, report.amountRefundedMinor),
    baseAmountMinor: stored.baseAmountMinor ?? report.baseAmountMinor,
    baseCurrency: stored.baseCurrency ?? report.baseCurrency,
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

function toRow(report: Report, now: number): RefundOrDispute {
  const { id, kind, paymentId, amountMinor, currency, state, phase, respondBy, beganAt } = report
  const told = { id, kind, paymentId, amountMinor, currency, state, phase, respondBy, beganAt }
  return { ...told, asOf: report.asOf ?? now, createdAt: now, updatedAt: now }
}

type Merge = (stored: RefundOrDispute, report: RefundOrDispute) => RefundOrDispute
type Step = RefundOrDispute['state']

/** Of a refund: under way, completed, failed. */
const REFUND_STEPS: readonly Step[] = ['open', 'final', 'undone']
/** Of a dispute: a bank's question, which takes nothing; open, which takes its money; won; lost. */
const DISPUTE_STEPS: readonly Step[] = ['inquiry', 'open', 'undone', 'final']

/** A refund only moves forward. One that failed stays as it is. */
function moveRefund(stored: RefundOrDispute, report: RefundOrDispute): RefundOrDispute {
  if (report.paymentId !== stored.paymentId || stored.state === 'undone') return stored
  const moved = withChanges(stored, {
    state: furthest(REFUND_STEPS, stored.state, report.state),
    amountMinor: Math.max(stored.amountMinor, report.amountMinor),
    currency: report.currency,
  })
  if (moved === stored) return stored
  return { ...moved, asOf: Math.max(stored.asOf, report.asOf), updatedAt: report.updatedAt }
}

/** A dispute goes back and forth: its latest report counts, and of two at one instant the further one. */
function moveDispute(stored: RefundOrDispute, report: RefundOrDispute): RefundOrDispute {
  const isFurther = DISPUTE_STEPS.indexOf(report.state) > DISPUTE_STEPS.indexOf(stored.state)
  const isNews = report.asOf > stored.asOf || (report.asOf === stored.asOf && isFurther)
  if (report.paymentId !== stored.paymentId || !isNews) return stored
  return { ...report, beganAt: stored.beganAt, createdAt: stored.createdAt }
}

/** A refund that was sent for a pending one carries its id. The last one counts. */
function learnSent(
  pending: PendingRefund,
  refunds: readonly RefundOrDispute[],
  reports: readonly Report[],
): PendingRefund {
  const named = reports.filter((report) => isSentFor(report, pending)).map(({ id }) => id)
  const sent = refunds.filter(({ id }) => id === pending.refundId || named.includes(id))
  return withChanges(pending, { refundId: sent.toSorted(byBeginning).at(-1)?.id ?? null })
}

/** Whether a refund says that it was sent for this pending one: the key of sending is its id, with a number after a failure. */
export function isSentFor({ reason }: Report, { id }: PendingRefund): boolean {
  return reason === id || reason?.startsWith(`${id}-`) === true
}

// --- Where the money of a payment went ---------------------------------------------------------------------------------

interface Money {
  /** By refunds. */
  refunded: number
  /** The part of that which we know from Razorpay's sum alone. */
  unlisted: number
  /** In lost disputes. */
  lost: number
  /** In disputes that are open or lost. */
  disputed: number
  /** Each refund and each lost dispute. */
  returned: readonly Returned[]
  /** How much of each pending refund was returned, by whoever sent it. */
  paid: ReadonlyMap<PendingRefund, number>
  /** The sum of what is still pending. */
  pending: number
}

type Returned = Pick<RefundOrDispute, 'id' | 'amountMinor' | 'beganAt'>

/** Where the money of a payment went. */
export function moneyOf(state: State, paymentId: string): Money {
  const payment = state.payments.find(({ id }) => id === paymentId)
  if (payment === undefined) throw new Error(`there is no payment ${paymentId}`)
  const ofPayment = isOf(paymentId)
  const pendingRefunds = state.pendingRefunds.filter(ofPayment)
  const all = state.refunds.filter(ofPayment)
  const refunds = all.filter(({ state }) => state !== 'undone')
  const failed = all.filter(({ state }) => state === 'undone')
  const disputes = state.disputes
    .filter(ofPayment)
    .map((dispute) => ({ ...dispute, amountMinor: shareOf(dispute, payment) }))
  const lost = disputes.filter(({ state }) => state === 'final')
  const open = disputes.filter(({ state }) => state === 'open')
  const twice = reportedTwice(lost, refunds, pendingRefunds)
  // Razorpay's sum may still count a refund that failed.
  const unlisted = Math.max(0, payment.amountRefundedMinor - sum(failed) - sum(refunds))
  const returned = [...refunds.filter(({ id }) => !twice.has(id)), ...lost]
  // What is unlisted pays, too: a request waits until nothing is, and extra money counts all that was ever returned.
  const paid = payPending(pendingRefunds, [
    ...returned,
    { id: UNLISTED, amountMinor: unlisted, beganAt: 0 },
  ])
  const lostOnce = sum(lost) - sum(refunds.filter(({ id }) => twice.has(id)))
  return {
    refunded: sum(refunds) + unlisted,
    unlisted,
    lost: lostOnce,
    disputed: lostOnce + sum(open),
    returned,
    paid,
    pending: [...paid].reduce((total, [{ amountMinor }, part]) => total + amountMinor - part, 0),
  }
}

/**
 * What a dispute takes of its payment, while it is open and if it is lost. One in another currency takes all of it, because its
 * share is unknown here (notify.ts alerts a person); nothing once it is won.
 */
function shareOf(dispute: RefundOrDispute, payment: Payment): number {
  return dispute.currency === payment.currency ? dispute.amountMinor : payment.amountMinor
}

/**
 * The ids of refunds that report the money of a lost dispute once more: of the same amount, begun after the dispute. A refund
 * that became pending after the loss is other money.
 */
function reportedTwice(
  lost: readonly RefundOrDispute[],
  refunds: readonly RefundOrDispute[],
  pendingRefunds: readonly PendingRefund[],
): ReadonlySet<string> {
  const twice = new Set<string>()
  for (const { id, amountMinor, beganAt } of lost) {
    const isPending = pendingRefunds.some(
      (pending) => pending.before.includes(id) && pending.amountMinor === amountMinor,
    )
    const same = refunds.find(
      (refund) =>
        refund.amountMinor === amountMinor && refund.beganAt >= beganAt && !twice.has(refund.id),
    )
    if (same !== undefined && !isPending) twice.add(same.id)
  }
  return twice
}

/**
 * Money that is returned pays a pending refund that did not take it into account, whoever sent it. A refund that fails pays
 * nothing any more, and later money takes its place. (A payment has one pending refund. Of the several that older rows have,
 * the oldest is paid first, and money that may pay the fewest goes first.)
 */
function payPending(
  pendingRefunds: readonly PendingRefund[],
  returned: readonly Returned[],
): Map<PendingRefund, number> {
  const paid = new Map(pendingRefunds.map((pending) => [pending, 0]))
  const payableBy = (money: Returned) =>
    pendingRefunds.filter((pending) => !isCounted(money, pending))
  for (const money of returned.toSorted(
    (one, other) => payableBy(one).length - payableBy(other).length,
  )) {
    let rest = money.amountMinor
    for (const pending of payableBy(money)) {
      const sofar = paid.get(pending) ?? 0
      const part = Math.min(rest, pending.amountMinor - sofar)
      paid.set(pending, sofar + part)
      rest -= part
    }
  }
  return paid
}

/**
 * Stands in `before` for money that was known from Razorpay's sum alone. Only older rows have it. Example: the sum was 500 when a
 * row of 300 was written. When the refund of 500 is listed later, it pays nothing of the 300.
 */
const UNLISTED = ''

/**
 * Whether this money was already deducted when the amount of a pending refund was set. For an older row with `UNLISTED`, that is
 * what began before it by Razorpay's clock, which is less than a minute from ours, and was not sent for it.
 */
function isCounted({ id, beganAt }: Returned, pending: PendingRefund): boolean {
  const { before, createdAt, refundId } = pending
  if (before.includes(id)) return true
  return before.includes(UNLISTED) && id !== refundId && beganAt <= createdAt + minutes(1)
}

// --- What follows ------------------------------------------------------------------------------------------------------

/**
 * Tokens are granted once, for captured money that is what the purchase asks for and is not to be refunded. Two callers at once are
 * kept apart by the version of the buyer's money (save.ts).
 */
function grantOnce(state: State, { now }: At): State {
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
 * Captured money that brings nothing is refunded whole: it does not match the purchase (a person refunds that), its account was
 * deleted, it is late, or something else was granted: another payment, an active plan, or a plan that was reversed before its
 * pack. What a buyer requests is the only other refund. What was returned already counts, so such a row may be done at once.
 */
function refundExtra(state: State, at: At): State {
  const { purchase, grant, payments, pendingRefunds } = state
  const extra = payments.filter(
    ({ id, status }) =>
      status === 'captured' && id !== grant?.paymentId && !pendingRefunds.some(isOf(id)),
  )
  if (extra.length === 0) return state
  const pending = extra.map((payment) =>
    newPendingRefund(purchase, at, {
      paymentId: payment.id,
      number: 0,
      reason: whyExtra(payment, state),
      amountMinor: payment.amountMinor,
      tokens: 0,
      before: [],
    }),
  )
  return { ...state, pendingRefunds: [...pendingRefunds, ...pending] }
}

function whyExtra(payment: Payment, { purchase, buyer, grant }: State): PendingRefund['reason'] {
  if (!matches(payment, purchase)) return 'mismatch'
  if (buyer.isDeleted && grant === null) return 'deleted_account'
  return isLate(payment, purchase) ? 'late' : 'excess'
}

/** `number` is 0 for a whole payment, and counts the others of a payment from 1. */
type NewPendingRefund = Pick<
  PendingRefund,
  'paymentId' | 'number' | 'reason' | 'amountMinor' | 'tokens' | 'before'
>

function newPendingRefund(
  { id: purchaseId }: Purchase,
  { now }: At,
  pending: NewPendingRefund,
): PendingRefund {
  const id = `refund-${pending.paymentId}-${pending.number}`
  const dueAt = pending.reason === 'mismatch' ? null : now
  const unsent = { attempts: 0, refundId: null, doneAt: null }
  return { ...pending, ...unsent, id, purchaseId, createdAt: now, dueAt }
}

/** The state with everything that follows from its money. */
export function conclude(given: State, at: At): State {
  const pendingRefunds = mapRows(given.pendingRefunds, (one) => followPending(given, one, at.now))
  const followed = withChanges(given, { pendingRefunds })
  const payments = mapRows(followed.payments, (payment) => totalsOf(followed, payment))
  const sent = withChanges(followed, { payments })
  const receipt = sent.receipt ?? (sent.grant === null ? null : newReceipt(sent.purchase, at))
  const issued = withChanges(sent, { receipt, grant: moveTokens(sent) })
  const status = statusOf(issued, at.now)
  const paidAt = issued.grant?.grantedAt ?? null
  const reversedAt = reversedAtOf(issued, status, at.now)
  const provenAt = provenAtOf(issued, at)
  const known = withChanges(issued.purchase, { status, paidAt, reversedAt, provenAt })
  const nextCheckAt = checkNext({ ...issued, purchase: known }, at)
  const purchase = withChanges(known, { nextCheckAt })
  return withChanges(issued, { creditNotes: issueNotes(issued, at.now), purchase })
}

/** Where the money of a payment went, in columns that lists read. */
function totalsOf(state: State, payment: Payment): Payment {
  const { refunded, lost, pending } = moneyOf(state, payment.id)
  return withChanges(payment, {
    refundedMinor: refunded,
    lostMinor: lost,
    pendingRefundMinor: pending,
  })
}

/** A pending refund is done once all of it was returned, and due again when that refund fails, each time later. */
function followPending(state: State, pending: PendingRefund, now: number): PendingRefund {
  const isPaid = moneyOf(state, pending.paymentId).paid.get(pending) === pending.amountMinor
  if (isPaid === (pending.doneAt !== null)) return pending
  if (isPaid) return { ...pending, doneAt: now, dueAt: null }
  const again = now + hours(1) * Math.max(1, pending.attempts ** 2)
  return { ...pending, doneAt: null, dueAt: pending.reason === 'mismatch' ? null : again }
}

/** Reverses tokens as far as they are unused, or restores them. What was used is missing, and no other tokens pay for it. */
function moveTokens(state: State): Grant | null {
  if (state.grant === null) return null
  const { reversed, left } = state.grant
  const more = Math.min(tokensDue(state) - reversed, left)
  return withChanges(state.grant, { reversed: reversed + more, left: left - more })
}

/**
 * The tokens that are due back: the share of the money that was refunded or disputed, rounded down, and those that the buyer
 * gave back. The latter are due from the request on, so the money that pays it takes none a second time. What a goodwill
 * refund promises takes its share at once. (Only older rows are goodwill refunds.)
 */
export function tokensDue(state: State): number {
  const { grant, purchase } = state
  if (grant === null) return 0
  const { refunded, disputed, paid } = moneyOf(state, grant.paymentId)
  if (refunded + disputed >= purchase.amountMinor) return grant.tokens
  let money = refunded + disputed
  let givenBack = 0
  for (const [{ reason, amountMinor, tokens }, part] of paid) {
    money += reason === 'goodwill' ? amountMinor - part : -part
    givenBack += tokens
  }
  const share = Math.floor((grant.tokens * Math.max(0, money)) / purchase.amountMinor)
  return Math.min(grant.tokens, givenBack + share)
}

function statusOf(state: State, now: number): Purchase['status'] {
  const { purchase, grant, payments, pendingRefunds } = state
  const isReturned = (payment: Payment) => {
    const { refunded, lost } = moneyOf(state, payment.id)
    return refunded + lost >= payment.amountMinor
  }
  const captured = payments.filter(({ status }) => status === 'captured')
  if (grant !== null) {
    const isSent = pendingRefunds.some(
      ({ reason, doneAt }) => reason === 'asked_for' && doneAt !== null,
    )
    const isBack = captured.some((payment) => payment.id === grant.paymentId && isReturned(payment))
    return isSent || isBack ? 'refunded' : 'paid'
  }
  if (captured.length > 0) return captured.every(isReturned) ? 'refunded' : 'review'
  const isOnItsWay = (payment: Payment) => payment.status === 'authorized' && !isReturned(payment)
  if (payments.some(isOnItsWay)) return 'authorized'
  if (purchase.createdAt + EXPIRES_AFTER_MS <= now) return 'expired'
  if (payments.length > 0 && payments.every(({ status }) => status !== 'created'))
    return 'attempted'
  return (purchase.razorpayOrderId ?? purchase.razorpayLinkId) === null ? 'creating' : 'open'
}

/**
 * Since when a purchase does not count: its refund was requested, its payment refunded or lost in full (since the last part of
 * it), or a bank disputes it. A partial refund by other means, or a partial loss in a dispute that ended, leaves it as it is.
 */
function reversedAtOf(state: State, status: Purchase['status'], now: number): number | null {
  const { purchase, grant, refunds, disputes, pendingRefunds } = state
  if (grant === null) return null
  const requested = pendingRefunds.find(({ reason }) => reason === 'asked_for')
  const ofGrant = isOf(grant.paymentId)
  const isDisputed = disputes.filter(ofGrant).some((dispute) => dispute.state === 'open')
  if (requested !== undefined) return requested.createdAt
  if (status !== 'refunded' && !isDisputed) return null
  const began = [...refunds, ...disputes]
    .filter(ofGrant)
    .filter((one) => one.state === 'open' || one.state === 'final')
    .map(({ beganAt }) => beganAt)
  return began.length > 0 ? Math.max(...began) : (purchase.reversedAt ?? now)
}

/** When a signature last proved a payment; null once that money was sent back, and nothing else is on its way. */
function provenAtOf({ purchase, payments }: State, { now, provenPayment }: At): number | null {
  const isSentBack = (payment: Payment) =>
    payment.status !== 'failed' && payment.refundedMinor >= payment.amountMinor
  const proven = payments.find(({ id }) => id === provenPayment)
  const isNews = provenPayment !== undefined && (proven === undefined || !isSentBack(proven))
  const provenAt = isNews ? now : purchase.provenAt
  if (provenAt === null) return null
  const isOnItsWay = payments.some(
    (payment) => payment.status === 'authorized' && !isSentBack(payment),
  )
  const isOver = payments.some((payment) => isSentBack(payment) && payment.updatedAt >= provenAt)
  return isOver && !isOnItsWay ? null : provenAt
}

/** A payment that began before its link ended may finish after. */
const LINK_GRACE_MS = hours(1)
/** An authorized payment that Razorpay does not capture is checked after this long, then less often. */
const CAPTURE_WAIT_MS = minutes(2)
const CAPTURE_WAIT_MAX_MS = hours(3)

/**
 * When the reconcile job asks Razorpay next; null when nothing is left to learn. A purchase that was paid on its order is
 * checked for as long as its link can be paid, too, and once after that. Only the job's own check ends the checks: a webhook
 * reports one payment and says nothing about another on the link. For the same reason a due check stays due until it is made.
 */
function checkNext({ purchase, payments }: State, { now }: At): number | null {
  const { status, createdAt, linkExpiresAt, nextCheckAt } = purchase
  const next = nextCheckAfter(now, createdAt)
  if (['paid', 'refunded', 'review'].includes(status)) {
    if (linkExpiresAt === null) return null
    // The job claims what it checks until exactly then (reconcile.ts).
    const isJobs = nextCheckAt === now + CLAIM_MS
    if (linkExpiresAt + LINK_GRACE_MS <= now) return isJobs ? null : nextCheckAt
  }
  if (status === 'authorized') {
    const authorized = payments.filter((payment) => payment.status === 'authorized')
    const waited = now - Math.max(...authorized.map(({ updatedAt }) => updatedAt))
    const wait = Math.min(Math.max(waited, CAPTURE_WAIT_MS), CAPTURE_WAIT_MAX_MS)
    return Math.min(next ?? now + CAPTURE_WAIT_MAX_MS, now + wait)
  }
  return nextCheckAt !== null && nextCheckAt <= now ? nextCheckAt : next
}

// --- Receipts and credit notes -----------------------------------------------------------------------------------------

function newReceipt({ amountMinor }: Purchase, { now, sale }: At): Receipt {
  return { ...sale, ...taxIn(amountMinor, sale), issuedAt: now }
}

/**
 * The tax in a price that includes it, to the nearest minor unit; within a state in equal halves. The rest of the price is the
 * taxable value. The rate is in basis points: 1800 for 18 %.
 */
export function taxIn(amountMinor: number, { supply, taxRate }: Sale): Taxed {
  const base = 10_000 + taxRate
  const tax = amountMinor - Math.floor((amountMinor * 20_000 + base) / (2 * base))
  const half = supply === 'intra_state' ? Math.floor(tax / 2) : 0
  return { cgstMinor: half, sgstMinor: half, igstMinor: supply === 'inter_state' ? tax : 0 }
}

/**
 * A credit note for each completed refund, as far as more went back than the notes say: money that failed and was sent again
 * has its note. The tax of a note is that of all the notes, less that of those before, so that no paisa of tax is left.
 */
function issueNotes(state: State, now: number): readonly CreditNote[] {
  const { receipt, grant, refunds, creditNotes } = state
  if (receipt === null || grant === null) return creditNotes
  const completed = refunds.filter(isOf(grant.paymentId)).filter(({ state }) => state === 'final')
  let due = sum(completed) - sum(creditNotes)
  let notes = creditNotes
  for (const refund of completed.toSorted(byBeginning)) {
    const amountMinor = Math.min(due, refund.amountMinor)
    if (amountMinor <= 0 || notes.some(({ refundId }) => refundId === refund.id)) continue
    const tax = taxIn(sum(notes) + amountMinor, receipt)
    const rest = (part: keyof Taxed) =>
      Math.max(0, tax[part] - notes.reduce((total, note) => total + note[part], 0))
    const note = {
      refundId: refund.id,
      isCancellation: false,
      amountMinor,
      cgstMinor: rest('cgstMinor'),
      sgstMinor: rest('sgstMinor'),
      igstMinor: rest('igstMinor'),
      issuedAt: now,
    }
    notes = [...notes, note]
    due -= amountMinor
  }
  return notes
}

// --- Small questions ---------------------------------------------------------------------------------------------------

function isOrderOf({ razorpayOrderId, razorpayLinkOrderId }: Purchase, order: string): boolean {
  return order === razorpayOrderId || order === razorpayLinkOrderId
}

/** Whether a payment is what the purchase asks for. */
function matches(payment: Payment, purchase: Purchase): boolean {
  return (
    payment.amountMinor === purchase.amountMinor &&
    payment.currency === purchase.currency &&
    payment.conflictAt === null &&
    isOrderOf(purchase, payment.razorpayOrderId)
  )
}

/** Razorpay accepts payments of an order for ever, so an order is good for seven days at its price. */
function isLate({ beganAt }: Payment, { createdAt }: Purchase): boolean {
  return beganAt !== null && beganAt > createdAt + days(ORDER_DAYS)
}

/** The latest plan that was not reversed counts. */
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

const isOf = (id: string) => (row: { paymentId: string }) => row.paymentId === id

const sum = (list: readonly { amountMinor: number }[]) =>
  list.reduce((total, { amountMinor }) => total + amountMinor, 0)

interface Arrived {
  id: string
  createdAt: number
}

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1)
const byArrival = (one: Arrived, other: Arrived) =>
  one.createdAt - other.createdAt || byId(one, other)
const byBeginning = (one: RefundOrDispute, other: RefundOrDispute) =>
  one.beganAt - other.beganAt || byId(one, other)

function furthest<Step>(steps: readonly Step[], one: Step, other: Step): Step {
  return steps.indexOf(one) >= steps.indexOf(other) ? one : other
}

/** The row with these values: the very same object when it has them already. */
function withChanges<Row extends object>(row: Row, changes: Partial<Row>): Row {
  for (const name in changes) if (changes[name] !== row[name]) return { ...row, ...changes }
  return row
}

/** The list with each row as `follow` makes it: the very same list when it makes none anew. */
function mapRows<Row>(list: readonly Row[], follow: (row: Row) => Row): readonly Row[] {
  const next = list.map(follow)
  return next.every((row, place) => row === list[place]) ? list : next
}

/** The list with this row: added, or as `merge` makes it from the one with its id. */
function put<Row extends { id: string }>(
  list: readonly Row[],
  row: Row,
  merge: (stored: Row) => Row,
): readonly Row[] {
  if (!list.some(({ id }) => id === row.id)) return [...list, row]
  return mapRows(list, (stored) => (stored.id === row.id ? merge(stored) : stored))
}
