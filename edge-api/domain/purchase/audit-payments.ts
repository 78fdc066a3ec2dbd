import type { Context } from '../context.ts'
import { formatMoney } from '../format-money.ts'
import { days } from '../time.ts'
import { factsOf, type Listed, type PaymentFact, type RefundOrDispute } from '../ports/payments.ts'
import {
  differingFrom,
  type Grant,
  grantsOf,
  type Known,
  type Span,
  unaccounted,
  unlistedRefundsAndDisputes,
} from './audit-differences.ts'
import { fetchRefunds, findByReceipt, unlessRejected } from './ask-razorpay.ts'
import { settle } from './settle.ts'

/** Payments are listed day by day, because one call lists a limited number. */
const WINDOW_MS = days(1)
/** Refunds are listed at least this far back, because a processed one may still fail. */
const REFUNDS_MS = days(30)
/** Disputes are listed at least this far back: they take months, and may be reopened. */
const DISPUTES_MS = days(180)
/** The most payments behind grants, missing or different in the lists, that are looked up by id. */
const GRANTS_MAX = 50
/** The most ids that an alert about rows of ours names. */
const EXAMPLES_MAX = 10

/** A payment, refund or dispute that an audit found. */
export interface Found {
  kind: 'payment' | RefundOrDispute['kind']
  id: string
  /** Null when it belongs to no purchase here. */
  purchaseId: string | null
  /** Razorpay's version; null when Razorpay does not know it. */
  there: Known | null
  /** Our contradicting version; null when there was none, or it has been settled. */
  here: Known | null
}

/** What an audit did. */
export interface AuditReport {
  /** Payments, refunds, disputes and grants that were compared with ours. */
  compared: number
  /** Those that were unknown or different here and have been settled. */
  found: Found[]
  /** Captured payments that belong to no purchase of ours. */
  foreign: Found[]
  /** Rows stored here that Razorpay does not know or knows with other values. A person must decide. */
  contradicted: Found[]
  /** The ids of payments, refunds and disputes that could not be looked up or settled. The next audit tries them again. */
  failed: string[]
  /** False when Razorpay had more than could be listed. */
  isWhole: boolean
}

/** The span from `since` until now, and earlier ones whose payments and grants are compared, too. In milliseconds UTC. */
interface Spans {
  since: number
  older?: readonly Span[]
  /** When to look no more payments up. */
  endsAt?: number
}

/**
 * Compares Razorpay's payments, refunds and disputes with ours. Every captured payment must back a grant or have a pending refund,
 * every grant must have such a payment, and refunds and disputes must match, however old the open ones are. Settles what
 * differs and raises an alert that names it.
 */
export async function auditPayments(
  ctx: Context,
  { since, older = [], endsAt = Infinity }: Spans,
): Promise<AuditReport> {
  const report: AuditReport = {
    compared: 0,
    found: [],
    foreign: [],
    contradicted: [],
    failed: [],
    isWhole: true,
  }
  const spans = [...older, { from: since, to: ctx.now }]
  const payments = await listPayments(ctx, spans, report)
  // The refunds come first: a payment that is known here lacks nothing once its refunds are settled.
  const refundsAndDisputes = await listRefundsAndDisputes(ctx, since, report)
  const news = new Set((await differingFrom(ctx, refundsAndDisputes)).map(({ id }) => id))
  for (const taken of refundsAndDisputes.filter(({ id }) => news.has(id)))
    await accountFor(ctx, taken, [taken], report)
  for (const payment of await unaccounted(ctx, payments)) {
    if (ctx.clock() >= endsAt) {
      const listed = { items: [], isWhole: false }
      oldestFirst(ctx, { kind: 'unaccounted payments', listed }, report)
      break
    }
    const { paymentId: id, status: state } = payment
    await accountFor(ctx, { ...payment, kind: 'payment', id, state }, [], report)
  }
  await checkGrants(ctx, { spans, payments }, report)
  raiseAlerts(ctx, report)
  return report
}

/** The payments of these spans, oldest first, so that receipts are numbered as the payments came. */
async function listPayments(ctx: Context, spans: readonly Span[], report: AuditReport) {
  const payments: PaymentFact[] = []
  for (const span of spans) {
    for (let { from } = span; from < span.to; from += WINDOW_MS) {
      const to = Math.min(from + WINDOW_MS, span.to)
      const listed = await ctx.payments.paymentsBetween(from, to)
      payments.push(...oldestFirst(ctx, { kind: 'payments', listed }, report))
    }
  }
  return payments
}

/**
 * The refunds and disputes that Razorpay lists, oldest first, so that credit notes are numbered in that order, and then
 * those of ours that it does not list.
 */
async function listRefundsAndDisputes(ctx: Context, since: number, report: AuditReport) {
  const from = Math.min(since, ctx.now - REFUNDS_MS)
  const refunds = await ctx.payments.refundsBetween(from, ctx.now)
  const disputes = await ctx.payments.disputesSince(Math.min(since, ctx.now - DISPUTES_MS))
  const refundsAndDisputes = [
    ...oldestFirst(ctx, { kind: 'refunds', listed: refunds }, report),
    ...oldestFirst(ctx, { kind: 'disputes', listed: disputes }, report),
  ]
  for (const { kind, id, purchaseId, ...here } of await unlistedRefundsAndDisputes(
    ctx,
    refundsAndDisputes,
    from,
  )) {
    await attempt(ctx, { id, report }, async () => {
      const { fetchRefund, fetchDispute } = ctx.payments
      const fact = await unlessRejected(kind === 'refund' ? fetchRefund(id) : fetchDispute(id))
      if (fact === null) report.contradicted.push({ kind, id, purchaseId, there: null, here })
      else refundsAndDisputes.push(fact)
      report.compared += 1
    })
  }
  return refundsAndDisputes
}

/** Reverses a list of Razorpay's. Notes its length, and raises an alert when the list was cut off. */
function oldestFirst<Item>(
  { log }: Context,
  { kind, listed: { items, isWhole } }: { kind: string; listed: Listed<Item> },
  report: AuditReport,
): Item[] {
  report.compared += items.length
  if (!isWhole) {
    report.isWhole = false
    log.alert('the audit did not see everything', { kind, listed: items.length })
  }
  return items.toReversed()
}

/** Something at Razorpay that is not accounted for here. */
type Suspect = Known & Pick<Found, 'kind' | 'id'> & { paymentId: string }

/** Settles a suspect with all that Razorpay says of its payment, and these further facts. */
function accountFor(
  ctx: Context,
  { kind, id, paymentId, state, amountMinor, currency }: Suspect,
  refundsAndDisputes: RefundOrDispute[],
  report: AuditReport,
): Promise<void> {
  const there = { state, amountMinor, currency }
  return attempt(ctx, { id: paymentId, report }, async () => {
    const payment = await ctx.payments.fetchPayment(paymentId)
    const refunds = await fetchRefunds(ctx, [payment])
    const learned = factsOf({
      payments: [payment],
      refundsAndDisputes: [...refunds, ...refundsAndDisputes],
    })
    const { facts, purchases } = await findByReceipt(ctx, learned)
    const purchaseId = purchases[0]?.id ?? null
    if (purchaseId === null) {
      report.foreign.push({ kind, id: paymentId, purchaseId, there, here: null })
      return
    }
    const { razorpayOrderId } = payment
    const amount = formatMoney(amountMinor, currency)
    const fields = { id, paymentId, razorpayOrderId, state, amount }
    ctx.log.alert(`the audit found a ${kind} unaccounted for`, fields)
    for (const purchase of purchases) await settle(ctx, purchase, facts, { cause: 'audit' })
    if ((await unaccounted(ctx, [payment])).length > 0)
      throw new Error('settling did not account for the payment')
    const [here = null] = await differingFrom(ctx, refundsAndDisputes)
    const list = here === null ? report.found : report.contradicted
    list.push({ kind, id, purchaseId, there, here })
  })
}

/** Every grant of these spans must have the same payment at Razorpay as here, with its refunds. */
async function checkGrants(
  ctx: Context,
  { spans, payments }: { spans: readonly Span[]; payments: readonly PaymentFact[] },
  report: AuditReport,
): Promise<void> {
  const listed = new Map(payments.map((payment) => [payment.paymentId, payment]))
  const grants = await grantsOf(ctx, spans)
  report.compared += grants.length
  const unlike = grants.filter((grant) => !isSame(grant, listed.get(grant.paymentId)))
  const isWhole = unlike.length <= GRANTS_MAX
  oldestFirst(ctx, { kind: 'grants', listed: { items: [], isWhole } }, report)
  for (const grant of unlike.slice(0, GRANTS_MAX)) {
    const { paymentId: id, purchaseId } = grant
    await attempt(ctx, { id, report }, async () => {
      // The lists lag, and a payment may be older than its grant.
      const payment = await unlessRejected(ctx.payments.fetchPayment(id))
      if (isSame(grant, payment)) return
      const there = payment === null ? null : paymentAsKnown(payment.status, payment)
      const here = paymentAsKnown('captured', grant)
      report.contradicted.push({ kind: 'payment', id, purchaseId, there, here })
    })
  }
}

function isSame(grant: Grant, payment: PaymentFact | null | undefined): boolean {
  return (
    payment?.status === 'captured' &&
    payment.amountMinor === grant.amountMinor &&
    payment.currency === grant.currency &&
    payment.razorpayOrderId === grant.razorpayOrderId &&
    payment.amountRefundedMinor >= grant.amountRefundedMinor
  )
}

function paymentAsKnown(
  status: string,
  { amountMinor, currency, amountRefundedMinor: back }: Omit<Grant, 'purchaseId' | 'paymentId'>,
): Known {
  const refunded = back === 0 ? '' : ` with ${formatMoney(back, currency)} refunded`
  return { state: `${status}${refunded}`, amountMinor, currency }
}

/** Does the work. After an error the audit continues with the rest, and the next audit tries this again. */
async function attempt(
  ctx: Context,
  { id, report }: { id: string; report: AuditReport },
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    report.failed.push(id)
    ctx.log.error('something could not be audited', error, { id })
  }
}

/** One alert of each kind. Payments of nobody here may be many: another site may use the same account at Razorpay. */
function raiseAlerts({ log }: Context, { foreign, contradicted, failed }: AuditReport): void {
  const named = (ids: string[]) => ids.slice(0, EXAMPLES_MAX).join(' ')
  const idsIn = (found: Found[]) => named(found.map(({ id }) => id))
  if (foreign.length > 0) {
    // Each is named: after a restore, a person must find those of ours among them.
    const paymentIds = foreign.map(({ id }) => id).join(' ')
    log.alert('money for an unknown order', { payments: foreign.length, paymentIds })
  }
  const [first] = contradicted
  if (first !== undefined) {
    log.alert('what is stored contradicts Razorpay', {
      count: contradicted.length,
      ids: idsIn(contradicted),
      purchaseId: first.purchaseId,
      here: sayOf(first.here),
      there: sayOf(first.there),
    })
  }
  if (failed.length > 0) log.alert('job failed', { job: 'auditPurchases', ids: named(failed) })
}

const sayOf = (known: Known | null) =>
  known === null ? 'unknown' : `${known.state} ${formatMoney(known.amountMinor, known.currency)}`
