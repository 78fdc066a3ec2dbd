import { or, type SQL, sql } from 'drizzle-orm'
import { purchases } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'
import { formatMoney } from '../format-money.ts'
import { type Facts, factsOf, type Listed, type PaymentFact } from '../ports/payments.ts'
import { days } from '../time.ts'
import {
  compare,
  type Found,
  foundOf,
  inWords,
  isPayment,
  type Row,
  rowsOf,
} from './audit-differences.ts'
import { fetchRefunds, findByReceipt, unlessRejected } from './ask-razorpay.ts'
import type { PendingRefund, State } from './core/state.ts'
import { onePurchase, readStates } from './load.ts'
import { idsWhere, isOfFacts } from './purchase.ts'
import { settle } from './settle.ts'

/** Payments are listed day by day, because one call lists a limited number. */
const WINDOW_MS = days(1)
/** Refunds are listed at least this far back, because a processed one may still fail. */
const REFUNDS_MS = days(30)
/** Disputes are listed at least this far back: they take months, and may be reopened. */
const DISPUTES_MS = days(180)
/** The most ids that an alert about rows of ours names. */
const EXAMPLES_MAX = 10

/** What an audit did. */
export interface AuditReport {
  /** Payments, refunds and disputes that were listed, and payments of ours that should have been. */
  compared: number
  /** Those that were unknown or different here and have been settled. */
  found: Found[]
  /** Captured payments that belong to no purchase of ours. */
  foreign: Found[]
  /** Rows stored here that Razorpay does not know or knows with other values. A person must decide. */
  contradicted: Found[]
  /** The ids of purchases, and of payments of none, that could not be looked up or settled. The next audit tries them again. */
  failed: string[]
  /** False when Razorpay had more than could be listed. */
  isWhole: boolean
}

interface Span {
  from: number
  to: number
}

/** Instants in milliseconds UTC. */
interface Options {
  since: number
  /** Earlier spans whose payments and grants are compared, too. */
  older?: readonly Span[]
  /** When to look nothing more up. */
  endsAt?: number
}

/** What Razorpay lists, with what of ours must be in it. */
interface List {
  facts: Facts
  /** In SQL, the purchases that may have rows which must be in the list. */
  purchases: SQL
  mustHave: (row: Row, state: State) => boolean
}

interface Run {
  report: AuditReport
  endsAt: number
  /** The purchases that were looked up already, and payments of none. */
  audited: Set<string>
}

/**
 * Compares what Razorpay lists with ours: refunds and disputes however old the open ones are, and the payments of each day. A
 * purchase that differs is looked up by its ids. What Razorpay knows and we do not is settled, and an alert names it. What we know
 * and Razorpay does not stays as it is, and an alert asks a person to decide.
 */
export async function auditPayments(
  ctx: Context,
  { since, older = [], endsAt = Infinity }: Options,
): Promise<AuditReport> {
  const lists = { found: [], foreign: [], contradicted: [], failed: [] }
  const report: AuditReport = { compared: 0, ...lists, isWhole: true }
  const run = { report, endsAt, audited: new Set<string>() }
  try {
    // The refunds come first: a payment that is known here lacks nothing once its refunds are settled.
    await auditList(ctx, await listRefundsAndDisputes(ctx, since, report), run)
    for (const { from: first, to: end } of [...older, { from: since, to: ctx.now }]) {
      for (let from = first; from < end; from += WINDOW_MS) {
        const day = { from, to: Math.min(from + WINDOW_MS, end) }
        await auditList(ctx, await listPayments(ctx, day, report), run)
      }
    }
  } finally {
    // Also when Razorpay stops answering.
    raiseAlerts(ctx, report)
  }
  return report
}

/** The payments of a day. Those behind the grants of that day must be among them. */
async function listPayments(ctx: Context, { from, to }: Span, report: AuditReport): Promise<List> {
  const payments = take(ctx, report, 'payments', await ctx.payments.paymentsBetween(from, to))
  return {
    facts: factsOf({ payments }),
    purchases: sql`${purchases.id} IN (
      SELECT purchase_id FROM grants WHERE granted_at >= ${from} AND granted_at < ${to})`,
    mustHave: (row, { grant }) =>
      row.id === grant?.paymentId && grant.grantedAt >= from && grant.grantedAt < to,
  }
}

/**
 * The refunds and disputes. Those of ours that are open or moved lately must be among them, and so must what no grant stands for:
 * payments that are to be refunded whole, or were since then.
 */
async function listRefundsAndDisputes(
  ctx: Context,
  since: number,
  report: AuditReport,
): Promise<List> {
  const from = Math.min(since, ctx.now - REFUNDS_MS)
  const disputesFrom = Math.min(since, ctx.now - DISPUTES_MS)
  const refunds = take(ctx, report, 'refunds', await ctx.payments.refundsBetween(from, ctx.now))
  const disputes = take(ctx, report, 'disputes', await ctx.payments.disputesSince(disputesFrom))
  const isRefundedWhole = ({ reason, doneAt }: PendingRefund) =>
    reason !== 'asked_for' && (doneAt === null || doneAt >= since)
  return {
    facts: factsOf({ refunds, disputes }),
    purchases: sql`${purchases.id} IN (
      SELECT m.purchase_id FROM refunds_and_disputes t JOIN payments m ON m.id = t.payment_id
      WHERE t.state IN ('inquiry', 'open') OR (t.state IN ('final', 'undone') AND t.updated_at >= ${from})
      UNION ALL
      SELECT purchase_id FROM owed_refunds WHERE reason <> 'asked_for' AND done_at IS NULL
      UNION ALL
      SELECT purchase_id FROM owed_refunds WHERE reason <> 'asked_for' AND done_at >= ${since})`,
    mustHave: (row, { pendingRefunds }) =>
      isPayment(row)
        ? pendingRefunds.some((one) => one.paymentId === row.id && isRefundedWhole(one))
        : ['pending', 'inquiry', 'open'].includes(row.state) || row.updatedAt >= from,
  }
}

function take<Item>(
  ctx: Context,
  report: AuditReport,
  kind: string,
  { items, isWhole }: Listed<Item>,
): Item[] {
  report.compared += items.length
  if (!isWhole) noteCutOff(ctx, report, { kind, listed: items.length })
  return items
}

function noteCutOff(
  { log }: Context,
  report: AuditReport,
  fields: { kind: string; listed: number },
): void {
  report.isWhole = false
  log.alert('the audit did not see everything', fields)
}

/** Audits the purchases that differ from a list, the oldest first, so that documents are numbered in the order of their money. */
async function auditList(ctx: Context, list: List, { report, endsAt, audited }: Run) {
  const { facts, purchases, mustHave } = list
  const captured = facts.payments.filter(({ status }) => status === 'captured')
  const unknown = new Map(captured.map((payment) => [payment.paymentId, payment]))
  const suspects: { id: string; rowIds: string[]; beganAt: number; audit: () => Promise<void> }[] =
    []
  for await (const state of readStates(ctx, idsWhere(ctx, or(isOfFacts(facts), purchases)))) {
    const { id } = state.purchase
    report.compared += rowsOf(state).filter((row) => mustHave(row, state)).length
    const { after, news, contradictions } = compare(ctx, state, facts)
    for (const payment of after.payments) unknown.delete(payment.id)
    const contradicted = contradictions.filter(
      ({ here, there }) => there !== undefined || (here !== undefined && mustHave(here, state)),
    )
    const rowIds = [...news, ...contradicted].map(({ row }) => row.id)
    if (rowIds.length === 0) continue
    const beganAt = Math.min(ctx.now, ...news.map(({ row }) => row.beganAt ?? ctx.now))
    suspects.push({ id, rowIds, beganAt, audit: () => auditPurchase(ctx, id, facts, report) })
  }
  for (const [id, payment] of unknown) {
    const beganAt = payment.beganAt ?? ctx.now
    suspects.push({ id, rowIds: [id], beganAt, audit: () => auditUnknown(ctx, payment, report) })
  }
  for (const { id, rowIds, audit } of suspects.toSorted((a, b) => a.beganAt - b.beganAt)) {
    if (audited.has(id)) continue
    if (ctx.clock() >= endsAt) {
      noteCutOff(ctx, report, { kind: 'unaccounted payments', listed: suspects.length })
      return
    }
    audited.add(id)
    try {
      await audit()
    } catch (error) {
      report.failed.push(...rowIds)
      ctx.log.error('something could not be audited', error, { id })
    }
  }
}

/** A payment of no purchase that we know. Its order may carry the id of one all the same. */
async function auditUnknown(ctx: Context, payment: PaymentFact, report: AuditReport) {
  const { facts, purchases } = await findByReceipt(ctx, factsOf({ payments: [payment] }))
  for (const { state } of purchases) await auditPurchase(ctx, state.purchase.id, facts, report)
  if (purchases.length > 0) return
  const { paymentId: id, amountRefundedMinor: refundedMinor } = payment
  const there = inWords({ ...payment, refundedMinor })
  report.foreign.push({ kind: 'payment', id, purchaseId: null, there, here: 'unknown' })
}

/** Looks a purchase up at Razorpay, settles what is new, and notes what is contradicted then. */
async function auditPurchase(ctx: Context, id: string, listed: Facts, report: AuditReport) {
  for await (const before of readStates(ctx, onePurchase(id))) {
    const facts = await lookUp(ctx, compare(ctx, before, listed).after, listed)
    const { after: expected, news } = compare(ctx, before, facts)
    for (const { row } of news) alertOf(ctx, expected, row)
    const settled =
      news.length === 0 ? before : await settle(ctx, before.purchase, facts, { cause: 'audit' })
    const left = compare(ctx, settled, facts)
    if (left.news.length > 0) throw new Error('settling did not account for it')
    report.found.push(...news.map((one) => foundOf(id, one)))
    report.contradicted.push(...left.contradictions.map((one) => foundOf(id, one)))
  }
}

/** What Razorpay says of the payments and disputes of a state, asked by their ids, and of the refunds of the payments. */
async function lookUp(ctx: Context, { payments, disputes }: State, { orders }: Facts) {
  const { fetchPayment, fetchDispute } = ctx.payments
  const known = async <Fact>(asked: Promise<Fact>[]) =>
    (await Promise.all(asked.map(unlessRejected))).filter((fact) => fact !== null)
  const found = await known(payments.map(({ id }) => fetchPayment(id)))
  const disputed = await known(disputes.map(({ id }) => fetchDispute(id)))
  const refunds = await fetchRefunds(ctx, found, true)
  return factsOf({ orders, payments: found, refunds, disputes: disputed })
}

function alertOf({ log }: Context, { payments }: State, row: Row): void {
  const [kind, state, paymentId] = isPayment(row)
    ? (['payment', row.status, row.id] as const)
    : ([row.kind, row.state, row.paymentId] as const)
  const { razorpayOrderId = null } = payments.find(({ id }) => id === paymentId) ?? {}
  const amount = formatMoney(row.amountMinor, row.currency)
  const fields = { id: row.id, paymentId, razorpayOrderId, state, amount }
  log.alert(`the audit found a ${kind} unaccounted for`, fields)
}

/** One alert of each kind. Payments of nobody here may be many: another site may use the same account at Razorpay. */
function raiseAlerts({ log }: Context, { foreign, contradicted, failed }: AuditReport): void {
  const named = (ids: string[]) => ids.slice(0, EXAMPLES_MAX).join(' ')
  if (foreign.length > 0) {
    // Each is named: after a restore, a person must find those of ours among them.
    const paymentIds = foreign.map(({ id }) => id).join(' ')
    log.alert('money for an unknown order', { payments: foreign.length, paymentIds })
  }
  const [first] = contradicted
  if (first !== undefined) {
    log.alert('what is stored contradicts Razorpay', {
      count: contradicted.length,
      ids: named(contradicted.map(({ id }) => id)),
      purchaseId: first.purchaseId,
      here: first.here,
      there: first.there,
    })
  }
  if (failed.length > 0) log.alert('job failed', { job: 'auditPurchases', ids: named(failed) })
}
