/**
 * The money of one purchase, decided without a database, a clock or Razorpay:
 *
 *     load the rows  →  decide(state, facts, at)  →  write the rows that differ
 *
 * Amounts are in minor units, instants in milliseconds UTC. Nothing here is changed in place: each function returns the next
 * state, in which every row that stayed as it was is the same object. It returns the given state if no row changed.
 */
import { ORDER_DAYS } from '../../../src/contract/limits.ts'
import type * as rows from '../../db/schema/purchases.ts'
import type { Facts, PaymentFact, RefundOrDisputeFact } from '../ports/payments.ts'
import { days, hours, minutes } from '../time.ts'

/** Everything that a decision about a purchase depends on: its rows, and what its buyer is. */
export interface State {
  purchase: Purchase
  buyer: Buyer
  /** Payments made on this purchase's orders, in the order in which we learned of them. */
  payments: readonly Payment[]
  refunds: readonly RefundOrDispute[]
  disputes: readonly RefundOrDispute[]
  /** Refunds that we have to send, and those that are covered meanwhile (`doneAt`); oldest first for each payment. A job sends them. */
  pendingRefunds: readonly PendingRefund[]
  grant: Grant | null
  receipt: Receipt | null
  creditNotes: readonly CreditNote[]
}

type Purchase = typeof rows.purchases.$inferSelect
export type Payment = typeof rows.payments.$inferSelect
export type PendingRefund = typeof rows.pendingRefunds.$inferSelect
/**
 * A row of Razorpay's refunds and disputes. Its `state` means:
 *
 *                refund       dispute                         its money
 *     inquiry    –            a bank asks a question          stays with us
 *     open       under way    a bank holds the money          left us
 *     final      completed    lost                            left us
 *     undone     failed       won, or closed                  stays with us
 */
export type RefundOrDispute = typeof rows.refundsAndDisputes.$inferSelect

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
  /** Its payment was refunded or lost in full, its refund was requested, or a bank disputes it. */
  isReversed: boolean
}

/** The tokens of the purchase: `tokens = reversed + left + used`. */
export interface Grant {
  paymentId: string
  tokens: number
  /** Taken back so far, because money was refunded or disputed. */
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
  /** The payment that a signature proves, and which Razorpay may not have reported yet. */
  verifiedPayment?: string | undefined
  /** Whether the reconcile job decides: it asked Razorpay about the order, the link and the refunds. */
  isReconcile?: boolean | undefined
}

/**
 * The state after these facts, and after everything that follows from them. Without facts (four empty lists) only `at` and
 * the buyer can change something. The same facts in any order, any number of times, end with the same totals, if a payment
 * is reported before or with its refunds. Of two valid payments the first to arrive brings the tokens. What the facts say of other
 * purchases changes nothing, but that a payment which another purchase claims, too, is in conflict.
 */
export function decide(state: State, facts: Facts, at: At): State {
  const reported = applyFacts(state, facts, at)
  const granted = grantTokens(reported, at)
  const withRefunds = addExtraRefunds(granted, at)
  return recompute(withRefunds, at)
}

// --- What Razorpay reported --------------------------------------------------------------------------------------------

function applyFacts(state: State, facts: Facts, { now }: At): State {
  const purchase = bindLinkOrder(state.purchase, facts)
  const known = facts.payments.reduce(
    (payments, fact) => applyPayment(purchase, payments, fact, now),
    state.payments,
  )
  const payments = mapRows(known, (payment) =>
    isNamedByAnother(purchase, payment, facts) ? inConflict(payment, now) : payment,
  )
  // Of payments that are stored, and of the kind that their id has here: an id is a refund's or a dispute's, never both.
  const kinds = new Map([...state.refunds, ...state.disputes].map(({ id, kind }) => [id, kind]))
  const reports = facts.refundsAndDisputes.filter(
    ({ id, kind, paymentId }) =>
      payments.some((payment) => payment.id === paymentId) && (kinds.get(id) ?? kind) === kind,
  )
  const applyKind = (
    kind: RefundOrDisputeFact['kind'],
    stored: readonly RefundOrDispute[],
    merge: Merge,
  ) =>
    reports
      .filter((report) => report.kind === kind)
      .map((report) => rowOf(report, now))
      .reduce((list, row) => put(list, row, (old) => merge(old, row)), stored)
  const refunds = applyKind('refund', state.refunds, moveRefund)
  const disputes = applyKind('dispute', state.disputes, moveDispute)
  const pendingRefunds = mapRows(state.pendingRefunds, (one) => nameRefund(one, refunds))
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

function rowOf(report: RefundOrDisputeFact, now: number): RefundOrDispute {
  return { ...report, asOf: report.asOf ?? now, createdAt: now, updatedAt: now }
}

type Merge = (stored: RefundOrDispute, report: RefundOrDispute) => RefundOrDispute

const REFUND_STEPS: readonly RefundOrDispute['state'][] = ['open', 'final', 'undone']
const DISPUTE_STEPS: readonly RefundOrDispute['state'][] = ['inquiry', 'open', 'undone', 'final']

/** A refund only moves forward. One that failed stays as it is. */
function moveRefund(stored: RefundOrDispute, report: RefundOrDispute): RefundOrDispute {
  if (report.paymentId !== stored.paymentId || stored.state === 'undone') return stored
  const moved = withChanges(stored, {
    state: furthest(REFUND_STEPS, stored.state, report.state),
    amountMinor: Math.max(stored.amountMinor, report.amountMinor),
    currency: report.currency,
    reason: stored.reason ?? report.reason,
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

/** Notes in a pending refund the refund that was sent for it; of several, which were sent after failures, the last. */
function nameRefund(pending: PendingRefund, refunds: readonly RefundOrDispute[]): PendingRefund {
  const sent = refunds.filter((refund) => isSentFor(refund, pending))
  return withChanges(pending, { refundId: sent.toSorted(byBeginning).at(-1)?.id ?? null })
}

/**
 * The key under which Razorpay makes a refund once, which it keeps as the refund's `reason`. It has the number of the refunds
 * that are known, failed ones too: after a failure the same amount is sent once more, under another key.
 */
export function refundKeyOf({ refunds }: State, { id, paymentId }: PendingRefund): string {
  const count = refunds.filter(isOf(paymentId)).length
  return count === 0 ? id : `${id}-${count}`
}

/** Whether we sent a refund for this pending one. */
export function isSentFor(
  { id, reason }: Pick<RefundOrDisputeFact, 'id' | 'reason'>,
  pending: PendingRefund,
): boolean {
  const isKey = reason === pending.id || reason?.startsWith(`${pending.id}-`) === true
  // Rows that are older than this column have no reason.
  return isKey || id === pending.refundId
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
 *     goodwill          any amount      an admin gave it until November 2026; there are only old rows
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
      number: 0,
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

/** `number` is 0 for a whole payment. Refunds of a granted payment count from 1. */
type NewPendingRefund = Pick<
  PendingRefund,
  'paymentId' | 'number' | 'reason' | 'amountMinor' | 'tokens' | 'deducted'
>

function newPendingRefund(
  { id: purchaseId }: Purchase,
  { now }: At,
  pending: NewPendingRefund,
): PendingRefund {
  const id = `refund-${pending.paymentId}-${pending.number}`
  const dueAt = pending.reason === 'mismatch' ? null : now
  const unsent = {
    attempts: 0,
    refundId: null,
    doneAt: null,
    notifiedAt: null,
    endNotifiedAt: null,
  }
  return { ...pending, ...unsent, id, purchaseId, createdAt: now, dueAt }
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
  const receipt = state.receipt ?? (state.grant === null ? null : newReceipt(state.purchase, at))
  state = withChanges(state, { receipt, grant: moveTokens(state) })
  state = withChanges(state, { creditNotes: issueNotes(state, at.now) })
  // 3. The columns of the purchase, the next check last: it depends on the status.
  const status = statusOf(state, at.now)
  const paidAt = state.grant?.grantedAt ?? null
  const reversedAt = reversedAtOf(state, status, at.now)
  const verifiedAt = verifiedAtOf(state, at)
  const purchase = withChanges(state.purchase, { status, paidAt, reversedAt, verifiedAt })
  const nextCheckAt = nextCheckOf({ ...state, purchase }, at)
  return withChanges(state, { purchase: withChanges(purchase, { nextCheckAt }) })
}

/** A pending refund is done once it is covered. When that refund fails it is due again, after a longer wait each time. */
function updateDone(state: State, pending: PendingRefund, now: number): PendingRefund {
  const isCovered = moneyOf(state, pending.paymentId).covered.get(pending) === pending.amountMinor
  if (isCovered === (pending.doneAt !== null)) return pending
  if (isCovered) return { ...pending, doneAt: now, dueAt: null }
  const again = now + hours(1) * Math.max(1, pending.attempts ** 2)
  return { ...pending, doneAt: null, dueAt: pending.reason === 'mismatch' ? null : again }
}

/** Where the money of a payment went, in columns that lists read. */
function withSums(state: State, payment: Payment): Payment {
  const { refunded, lost, pending } = moneyOf(state, payment.id)
  return withChanges(payment, {
    refundedMinor: refunded,
    lostMinor: lost,
    pendingRefundMinor: pending,
  })
}

/** Takes back as many tokens as are due and unused, or gives them back. Used tokens are missing, and no other tokens pay for them. */
function moveTokens(state: State): Grant | null {
  if (state.grant === null) return null
  const { reversed, left } = state.grant
  const more = Math.min(tokensDue(state) - reversed, left)
  return withChanges(state.grant, { reversed: reversed + more, left: left - more })
}

/**
 * The tokens that must be taken back: those that the buyer gave back with a request, and of the other money that was refunded or
 * is disputed its share, rounded down. Example: half of the price was refunded by hand, so half of the tokens are due. All are due
 * once all of the money left us.
 *
 * The tokens of a request are due from the request on, so the money that covers it takes no share. An older `goodwill` row takes
 * the share of its whole amount at once.
 */
export function tokensDue(state: State): number {
  const { grant, purchase } = state
  if (grant === null) return 0
  const { refunded, disputed, covered } = moneyOf(state, grant.paymentId)
  if (refunded + disputed >= purchase.amountMinor) return grant.tokens
  let money = refunded + disputed
  let givenBack = 0
  for (const [{ reason, amountMinor, tokens }, part] of covered) {
    money += reason === 'goodwill' ? amountMinor - part : -part
    givenBack += tokens
  }
  const share = Math.floor((grant.tokens * Math.max(0, money)) / purchase.amountMinor)
  return Math.min(grant.tokens, givenBack + share)
}

/**
 * The first of these that is true:
 *
 *     refunded     the granted payment was refunded or lost in full, or its requested refund was sent
 *     paid         a payment was granted
 *     refunded     each captured payment was refunded or lost in full; none was granted
 *     review       a captured payment that was not granted is still to be refunded
 *     authorized   Razorpay may still capture a payment
 *     expired      nothing was paid within 96 hours
 *     attempted    there are payments, and each failed or was sent back before it was captured
 *     creating     there is neither an order nor a link yet
 *     open         it can be paid
 */
function statusOf(state: State, now: number): Purchase['status'] {
  const { purchase, grant, payments, pendingRefunds } = state
  const captured = payments.filter(({ status }) => status === 'captured')
  if (grant !== null) {
    const isSent = pendingRefunds.some(
      ({ reason, doneAt }) => reason === 'asked_for' && doneAt !== null,
    )
    const isGone = captured.some((payment) => payment.id === grant.paymentId && hasLeft(payment))
    return isSent || isGone ? 'refunded' : 'paid'
  }
  if (captured.length > 0) return captured.every(hasLeft) ? 'refunded' : 'review'
  if (payments.some(isOnItsWay)) return 'authorized'
  if (purchase.createdAt + EXPIRES_AFTER_MS <= now) return 'expired'
  if (payments.length > 0 && payments.every(({ status }) => status !== 'created'))
    return 'attempted'
  return (purchase.razorpayOrderId ?? purchase.razorpayLinkId) === null ? 'creating' : 'open'
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
function reversedAtOf(state: State, status: Purchase['status'], now: number): number | null {
  const { purchase, grant, disputes, pendingRefunds } = state
  if (grant === null) return null
  const requested = pendingRefunds.find(({ reason }) => reason === 'asked_for')
  if (requested !== undefined) return requested.createdAt
  const reversals = disputes
    .filter(isOf(grant.paymentId))
    .filter(isOpenDispute)
    .map(({ beganAt }) => beganAt)
  if (status === 'refunded') {
    // All of it was gone with the last part. When the unlisted part began is unknown.
    const { outflows, unlisted } = moneyOf(state, grant.paymentId)
    const began = outflows.map(({ beganAt }) => beganAt)
    reversals.push(Math.max(...began, ...(unlisted > 0 ? [now] : [])))
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
 * The credit notes, with one for each refund of the granted payment that was completed since, as far as more was refunded than
 * the notes say: a refund that failed after its note and was sent again gets no second note. A lost dispute gets none, nor does a
 * refund that reports it once more, unless it got its note before the loss was known. The tax of a note is that of all the notes,
 * less that of those before, so that the notes of a full refund take back all of the tax.
 */
function issueNotes(state: State, now: number): readonly CreditNote[] {
  const { receipt, grant, refunds, creditNotes } = state
  if (receipt === null || grant === null) return creditNotes
  const { reportedTwice } = moneyOf(state, grant.paymentId)
  const completed = refunds
    .filter(isOf(grant.paymentId))
    .filter(({ id, state }) => state === 'final' && !reportedTwice.has(id))
  let unnoted = sum(completed) - sum(creditNotes)
  let notes = creditNotes
  for (const refund of completed.toSorted(byBeginning)) {
    const amountMinor = Math.min(unnoted, refund.amountMinor)
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
    unnoted -= amountMinor
  }
  return notes
}

// --- When the reconcile job asks Razorpay ------------------------------------------------------------------------------

/** After this long an unpaid purchase expires. Money that arrives later still counts. */
const EXPIRES_AFTER_MS = hours(96)

/**
 * When a purchase is checked, counted from its creation: often at first, and the last time after every window in which
 * Razorpay's documents say that a late authorization can still arrive (3 or 5 days).
 */
const CHECKS_MS = [
  ...[1, 3, 8, 15, 30].map(minutes),
  ...[1, 3, 6, 12, 24, 48, 72, 96].map(hours),
  days(5) + hours(2),
]

/** The next check after `now`, or null when the last one is past. */
export function nextCheckAfter(now: number, createdAt: number): number | null {
  const step = CHECKS_MS.find((afterMs) => createdAt + afterMs > now)
  return step === undefined ? null : createdAt + step
}

/** A payment that began before its link ended may finish after. */
const LINK_GRACE_MS = hours(1)
/** An authorized payment that Razorpay does not capture is checked after this long, then less often. */
const CAPTURE_WAIT_MS = minutes(2)
const CAPTURE_WAIT_MAX_MS = hours(3)

/**
 * When the reconcile job asks Razorpay next; null when nothing is left to learn. A purchase that was paid on its order is
 * checked for as long as its link can be paid, too, and once after that. Only the job's own check moves a check to later or ends
 * the checks: a webhook reports one payment and says nothing about another on the link.
 */
function nextCheckOf(state: State, { now, isReconcile }: At): number | null {
  const { status, linkExpiresAt, nextCheckAt } = state.purchase
  if (['paid', 'refunded', 'review'].includes(status)) {
    if (linkExpiresAt === null) return null
    if (linkExpiresAt + LINK_GRACE_MS <= now) return isReconcile ? null : nextCheckAt
  }
  const planned = plannedCheck(state, now)
  const isSooner = nextCheckAt !== null && nextCheckAt < (planned ?? Infinity)
  return isSooner && !isReconcile ? nextCheckAt : planned
}

function plannedCheck({ purchase, payments }: State, now: number): number | null {
  const next = nextCheckAfter(now, purchase.createdAt)
  if (purchase.status !== 'authorized') return next
  const authorized = payments.filter((payment) => payment.status === 'authorized')
  const waited = now - Math.max(...authorized.map(({ updatedAt }) => updatedAt))
  const wait = Math.min(Math.max(waited, CAPTURE_WAIT_MS), CAPTURE_WAIT_MAX_MS)
  return Math.min(next ?? now + CAPTURE_WAIT_MAX_MS, now + wait)
}

// --- Where the money of a payment went ---------------------------------------------------------------------------------

/** Sums in minor units. */
interface Money {
  /** By refunds that did not fail and by what is unlisted, without what is `reportedTwice`. */
  refunded: number
  /** What is in Razorpay's sum (`amountRefundedMinor`), and of which we know no refund. */
  unlisted: number
  /** In lost disputes. */
  lost: number
  /** The ids of refunds that report the money of a lost dispute once more; `UNLISTED` if what is unlisted does. */
  reportedTwice: ReadonlySet<string>
  /** In disputes that are open or lost. */
  disputed: number
  /** Each refund that did not fail and is not `reportedTwice`, and each lost dispute. */
  outflows: readonly Outflow[]
  /** How much of each pending refund the outflows cover, by whoever sent them; not those that its amount `deducted`. */
  covered: ReadonlyMap<PendingRefund, number>
  /** What of the pending refunds is not covered, so that it is still to be sent. */
  pending: number
}

/** Money that left us: a refund or a lost dispute. */
type Outflow = Pick<RefundOrDispute, 'id' | 'amountMinor' | 'beganAt'>

/**
 * Where the money of a payment went. Example, of 1,000 that were paid for 1,000 tokens of which none is used:
 *
 *                                          refunded   unlisted   lost   covered   pending   tokens due
 *     300 are refunded by hand             300        –          –      –         –         300
 *     the buyer requests a refund of 700   300        –          –      –         700       1,000
 *     we lose a dispute of 200             300        –          200    200       500       1,000
 *     Razorpay's sum of refunds is 800     800        500        200    700       –         1,000
 *
 * The refund of 300 and the dispute are the outflows. The request `deducted` the 300, so they cover nothing of its 700. The 500
 * are in Razorpay's sum alone: their refund is not listed yet.
 */
export function moneyOf(state: State, paymentId: string): Money {
  const payment = state.payments.find(({ id }) => id === paymentId)
  if (payment === undefined) throw new Error(`there is no payment ${paymentId}`)
  const ofPayment = isOf(paymentId)
  const pendingRefunds = state.pendingRefunds.filter(ofPayment)
  const all = state.refunds.filter(ofPayment)
  const listed = all.filter((refund) => refund.state !== 'undone')
  const failed = all.filter((refund) => refund.state === 'undone')
  const disputes = state.disputes
    .filter(ofPayment)
    .map((dispute) => ({ ...dispute, amountMinor: shareOf(dispute, payment) }))
  const lostDisputes = disputes.filter((dispute) => dispute.state === 'final')
  const open = disputes.filter(isOpenDispute)
  // Razorpay's sum may still count a refund that failed.
  const unlisted = Math.max(0, payment.amountRefundedMinor - sum(failed) - sum(listed))
  const inSum = { id: UNLISTED, amountMinor: unlisted, state: 'open' as const, reason: null }
  const reportedTwice = findReportedTwice(
    payment,
    lostDisputes,
    // When it began is unknown. The latest is the cautious choice: it takes no tokens a second time.
    [...all, { ...inSum, beganAt: Infinity }],
    pendingRefunds,
  )
  const refunds = listed.filter(({ id }) => !reportedTwice.has(id))
  const outflows = [...refunds, ...lostDisputes]
  // What is unlisted covers, too. An `asked_for` refund has nothing unlisted before it: it is not requested until then.
  const unlistedOnce = reportedTwice.has(UNLISTED) ? [] : [{ ...inSum, beganAt: 0 }]
  const covered = coverPending(pendingRefunds, [...outflows, ...unlistedOnce])
  const lost = sum(lostDisputes)
  return {
    refunded: sum(refunds) + sum(unlistedOnce),
    unlisted,
    lost,
    reportedTwice,
    disputed: lost + sum(open),
    outflows,
    covered,
    pending: [...covered].reduce((total, [{ amountMinor }, part]) => total + amountMinor - part, 0),
  }
}

/**
 * What a dispute takes of its payment while it is open, and for good if it is lost. The share of one in another currency is
 * unknown here: it takes the whole payment, and notify.ts alerts the operator.
 */
function shareOf(dispute: RefundOrDispute, payment: Payment): number {
  return dispute.currency === payment.currency ? dispute.amountMinor : payment.amountMinor
}

/**
 * The ids of refunds that report the money of a lost dispute once more. Razorpay refunds the payment of a dispute that we lose or
 * accept: the amount of the dispute, or what is left of the payment if that is less. Example: of 1,000 that were paid, 300 are
 * refunded by hand; after a dispute of 1,000 is lost, Razorpay refunds 700. Refunded are 300 then, and lost are 1,000.
 *
 * Nothing in such a refund names the dispute. It is one that began after the dispute, that we did not send, and that has exactly
 * this amount; not if a pending refund of this amount was made after the loss and before it. So what somebody refunds by hand after
 * the dispute began is taken for it, if it has exactly this amount and the dispute is lost.
 */
function findReportedTwice(
  { amountMinor: paid }: Payment,
  lostDisputes: readonly RefundOrDispute[],
  refunds: readonly (Outflow & Pick<RefundOrDispute, 'state' | 'reason'>)[],
  pendingRefunds: readonly PendingRefund[],
): ReadonlySet<string> {
  const twice = new Set<string>()
  const byOthers = refunds.filter(
    (refund) =>
      refund.state !== 'undone' && !pendingRefunds.some((pending) => isSentFor(refund, pending)),
  )
  const tookRest = (refund: Outflow) => {
    const earlier = refunds.filter((one) => one !== refund && one.beganAt <= refund.beganAt)
    const rests = earlier.reduce(
      (left, { amountMinor, state }) =>
        // Each earlier refund that failed did so before this one was made, or after.
        new Set(
          [...left].flatMap((rest) => [rest - amountMinor, ...(state === 'undone' ? [rest] : [])]),
        ),
      new Set([paid]),
    )
    return rests.has(refund.amountMinor)
  }
  for (const { id, amountMinor, beganAt } of lostDisputes) {
    const isPending = (refund: Outflow) =>
      pendingRefunds.some(
        (pending) =>
          pending.deducted.includes(id) &&
          pending.amountMinor === refund.amountMinor &&
          refund.beganAt + CLOCKS_MS >= pending.createdAt,
      )
    const later = byOthers.filter(
      (refund) => refund.beganAt >= beganAt && !twice.has(refund.id) && !isPending(refund),
    )
    const same =
      later.find((refund) => refund.amountMinor === amountMinor) ??
      later.find((refund) => refund.amountMinor < amountMinor && tookRest(refund))
    if (same !== undefined) twice.add(same.id)
  }
  return twice
}

/** Razorpay's clock and ours differ by less. */
export const CLOCKS_MS = minutes(1)

/**
 * How much of each pending refund is covered. An outflow covers those that did not deduct it, whoever sent it. A refund that
 * fails is no outflow any more, so later money covers its place.
 *
 * A payment has one pending refund today. Of the several that older rows have, the oldest is covered first, and an outflow that
 * can cover the fewest goes first.
 */
function coverPending(
  pendingRefunds: readonly PendingRefund[],
  outflows: readonly Outflow[],
): Map<PendingRefund, number> {
  const covered = new Map(pendingRefunds.map((pending) => [pending, 0]))
  const coverableBy = (outflow: Outflow) =>
    pendingRefunds.filter((pending) => !isDeducted(outflow, pending))
  for (const outflow of outflows.toSorted(
    (one, other) => coverableBy(one).length - coverableBy(other).length,
  )) {
    let rest = outflow.amountMinor
    for (const pending of coverableBy(outflow)) {
      const before = covered.get(pending) ?? 0
      const part = Math.min(rest, pending.amountMinor - before)
      covered.set(pending, before + part)
      rest -= part
    }
  }
  return covered
}

/**
 * The id of money that is known from Razorpay's sum alone. Rows from before November 2026 may have it in `deducted`. Example: the
 * sum was 500 when such a row of 300 was written. When the refund of 500 is listed later, it covers nothing of the 300.
 */
const UNLISTED = ''

/** Whether an outflow was already deducted when the amount of a pending refund was set. */
function isDeducted({ id, beganAt }: Outflow, pending: PendingRefund): boolean {
  const { deducted, createdAt, refundId } = pending
  if (deducted.includes(id)) return true
  // An older row: what began before it, and was not sent for it.
  return deducted.includes(UNLISTED) && id !== refundId && beganAt <= createdAt + CLOCKS_MS
}

// --- What is refunded at a buyer's request -----------------------------------------------------------------------------

/**
 * What the buyer would get back for the unused tokens: their share of the price, to the nearest minor unit, but no more than
 * is left of the payment. While `isUnlisted`, Razorpay must be asked to list its refunds before any is requested.
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

/** Gives the unused tokens back for what `quoteOf` says. Possible once for each payment that was granted. */
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
    deducted: moneyOf(state, paymentId).outflows.map(({ id }) => id),
  })
  return recompute({ ...state, pendingRefunds: [...pendingRefunds, requested] }, at)
}

// --- Predicates, order and rows ----------------------------------------------------------------------------------------

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

/** Whether a bank holds the money of a dispute until it is decided. An inquiry takes none. */
export const isOpenDispute = ({ kind, state }: Pick<RefundOrDispute, 'kind' | 'state'>) =>
  kind === 'dispute' && state === 'open'

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

/** The list with each row as `change` returns it: the very same list when it returns every row as it was. */
function mapRows<Row>(list: readonly Row[], change: (row: Row) => Row): readonly Row[] {
  const next = list.map(change)
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
