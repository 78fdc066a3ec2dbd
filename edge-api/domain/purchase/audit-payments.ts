import { sql } from 'drizzle-orm'
import { z } from '../../../src/contract/zod.ts'
import type { Context } from '../context.ts'
import { formatMoney } from '../format-money.ts'
import { days, hours } from '../time.ts'
import {
  factsOf,
  GatewayRefused,
  type PaymentFact,
  type RefundOrDispute,
} from '../ports/payments.ts'
import { findByReceipt } from './find-by-receipt.ts'
import { fetchRefunds } from './fetch-facts.ts'
import { recordCause } from './record-cause.ts'
import { settle } from './settle.ts'

/** Payments are listed day by day, because one call lists only so many. */
const WINDOW_MS = days(1)
/** Refunds are listed at least so far back: one that was processed may still fail. */
const REFUNDS_MS = days(30)
/** Disputes are listed at least so far back: they take months, and may be opened again. */
const DISPUTES_MS = days(180)
/** So many refunds and disputes of ours that the lists do not have are asked about by their ids. */
const OPEN_MAX = 100
/** So many payments behind grants that the lists do not have as they are here are asked about by their ids. */
const GRANTS_MAX = 50
/** A refund that is done here may be pending in Razorpay's lists for so long. */
const LISTS_LAG_MS = hours(1)
/** So many are named in an alert about many. */
const EXAMPLES_MAX = 10

/** Milliseconds UTC. */
export interface Span {
  from: number
  to: number
}

/** A payment, refund or dispute that an audit found. */
export interface Found {
  kind: 'payment' | RefundOrDispute['kind']
  id: string
  /** Null when it is of no purchase here. */
  purchaseId: string | null
  /** What Razorpay says of it; null when it does not know it. */
  there: { state: string; amountMinor: number; currency: string } | null
  /** What is stored here and contradicts it; null when that was nothing, or has been settled. */
  here: { state: string; amountMinor: number; currency: string } | null
}

/** What an audit did. */
export interface AuditReport {
  /** Payments, refunds, disputes and grants that were compared with ours. */
  compared: number
  /** Those that were unknown or different here and have been settled. */
  found: Found[]
  /** Captured payments that belong to no purchase of ours. */
  foreign: Found[]
  /** Those that are stored here and that Razorpay does not know, or knows to be otherwise. A person has to decide. */
  contradicted: Found[]
  /** The ids of payments, refunds and disputes that could not be asked about or settled. The next audit tries them again. */
  failed: string[]
  /** False when Razorpay had more than could be listed. */
  isWhole: boolean
}

/**
 * Compares Razorpay's payments, refunds and disputes with ours, from `since` (milliseconds UTC) until now. Every captured
 * payment must back a grant or be owed back, every grant must have such a payment, and refunds and disputes must be known
 * as they are. Payments and grants of `older` spans are compared too, and refunds and disputes that are open here however
 * old they are. Settles what differs and raises an alert that says what it was.
 */
export async function auditPayments(
  ctx: Context,
  { since, older = [] }: { since: number; older?: readonly Span[] },
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
  await accountForAll(ctx, await findRefundsAndDisputes(ctx, since, report), report)
  await accountForAll(ctx, await findPayments(ctx, payments), report)
  await checkGrants(ctx, { spans, payments, report })
  alertOfForeign(ctx, report)
  alertOfContradictions(ctx, report)
  return report
}

async function accountForAll(
  ctx: Context,
  suspects: readonly Suspect[],
  report: AuditReport,
): Promise<void> {
  for (const suspect of suspects) {
    try {
      await accountFor(ctx, suspect, report)
    } catch (error) {
      // The audit continues with the others. The next audit checks this one again.
      const { paymentId } = suspect
      report.failed.push(paymentId)
      ctx.log.error('a payment could not be audited', error, { paymentId })
    }
  }
}

/** Something at Razorpay that is not accounted for here. */
interface Suspect {
  kind: Found['kind']
  id: string
  paymentId: string
  state: string
  amountMinor: number
  currency: string
  /** What was learned of it besides the payment. */
  refundsAndDisputes: RefundOrDispute[]
}

const ALERTS = {
  payment: 'the audit found a payment unaccounted for',
  refund: 'the audit found a refund unaccounted for',
  dispute: 'the audit found a dispute unaccounted for',
} as const

/** The payments of these spans, oldest first, so that receipts are numbered as the payments came. */
async function listPayments(
  ctx: Context,
  spans: readonly Span[],
  report: AuditReport,
): Promise<PaymentFact[]> {
  const payments: PaymentFact[] = []
  for (const span of spans) {
    for (let { from } = span; from < span.to; from += WINDOW_MS) {
      const to = Math.min(from + WINDOW_MS, span.to)
      const { items, isWhole } = await ctx.payments.paymentsBetween(from, to)
      noteWhole(ctx, report, { kind: 'payments', listed: items.length, isWhole })
      payments.push(...items.toReversed())
    }
  }
  return payments
}

async function findPayments(ctx: Context, payments: readonly PaymentFact[]): Promise<Suspect[]> {
  const captured = payments.filter(({ status }) => status === 'captured')
  const ids = await idsOf(ctx, selectUnaccounted(ctx, captured))
  return captured
    .filter(({ paymentId }) => ids.has(paymentId))
    .map(({ paymentId, status, amountMinor, currency }) => ({
      kind: 'payment',
      id: paymentId,
      paymentId,
      state: status,
      amountMinor,
      currency,
      refundsAndDisputes: [],
    }))
}

/** The listed ones oldest first, so that credit notes are numbered as the refunds came. */
async function findRefundsAndDisputes(ctx: Context, since: number, report: AuditReport) {
  const refundsFrom = Math.min(since, ctx.now - REFUNDS_MS)
  const disputesFrom = Math.min(since, ctx.now - DISPUTES_MS)
  const refunds = await ctx.payments.refundsBetween(refundsFrom, ctx.now)
  noteWhole(ctx, report, { kind: 'refunds', listed: refunds.items.length, ...refunds })
  const disputes = await ctx.payments.disputesSince(disputesFrom)
  noteWhole(ctx, report, { kind: 'disputes', listed: disputes.items.length, ...disputes })
  const listed = [...refunds.items.toReversed(), ...disputes.items.toReversed()]
  const unlisted = await fetchUnlisted(ctx, { listed, refundsFrom, report })
  report.compared += unlisted.length
  const facts = [...listed, ...unlisted]
  const ids = await idsOf(ctx, selectNews(ctx, facts))
  return facts
    .filter(({ id }) => ids.has(id))
    .map((fact): Suspect => ({ ...fact, refundsAndDisputes: [fact] }))
}

function noteWhole(
  ctx: Context,
  report: AuditReport,
  { kind, listed, isWhole }: { kind: string; listed: number; isWhole: boolean },
): void {
  report.compared += listed
  if (isWhole) return
  report.isWhole = false
  ctx.log.alert('the audit did not see everything', { kind, listed })
}

/** What Razorpay says now of the refunds and disputes that are open or recent here and that its lists did not contain. */
async function fetchUnlisted(
  ctx: Context,
  {
    listed,
    refundsFrom,
    report,
  }: { listed: readonly RefundOrDispute[]; refundsFrom: number; report: AuditReport },
): Promise<RefundOrDispute[]> {
  const [rows] = await ctx.db.batch([selectUnlisted(ctx, { listed, refundsFrom })])
  const facts: RefundOrDispute[] = []
  for (const { kind, id, purchaseId, ...here } of z.array(UnlistedRow).parse(rows)) {
    const fetch = () =>
      kind === 'refund' ? ctx.payments.fetchRefund(id) : ctx.payments.fetchDispute(id)
    await askAbout(ctx, { id, report }, async () => {
      const fact = await orNull(fetch)
      if (fact === null) report.contradicted.push({ kind, id, purchaseId, there: null, here })
      else facts.push(fact)
    })
  }
  return facts
}

/** Every grant of these spans must have the payment at Razorpay that it has here. */
async function checkGrants(
  ctx: Context,
  {
    spans,
    payments,
    report,
  }: { spans: readonly Span[]; payments: readonly PaymentFact[]; report: AuditReport },
): Promise<void> {
  const [rows] = await ctx.db.batch([selectGrants(ctx, spans)])
  const listed = new Map(payments.map((payment) => [payment.paymentId, payment]))
  const grants = z.array(GrantRow).parse(rows)
  report.compared += grants.length
  const unlike = grants.filter((grant) => !isSame(grant, listed.get(grant.paymentId)))
  if (unlike.length > GRANTS_MAX) {
    noteWhole(ctx, report, { kind: 'grants', listed: 0, isWhole: false })
  }
  for (const grant of unlike.slice(0, GRANTS_MAX)) {
    const { paymentId: id, purchaseId, amountMinor, currency } = grant
    await askAbout(ctx, { id, report }, async () => {
      // The lists lag, and a payment may be older than its grant.
      const payment = await orNull(() => ctx.payments.fetchPayment(id))
      if (isSame(grant, payment)) return
      const there = payment === null ? null : { ...payment, state: payment.status }
      const here = { state: 'captured', amountMinor, currency }
      report.contradicted.push({ kind: 'payment', id, purchaseId, there, here })
    })
  }
}

function isSame(grant: GrantRow, payment: PaymentFact | null | undefined): boolean {
  return (
    payment?.status === 'captured' &&
    payment.amountMinor === grant.amountMinor &&
    payment.currency === grant.currency &&
    payment.razorpayOrderId === grant.razorpayOrderId
  )
}

/** Does the work; when Razorpay does not answer, the next audit does it again. */
async function askAbout(
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

/** Null when Razorpay refuses, as it does with an id that it does not know. */
async function orNull<Fact>(fetch: () => Promise<Fact>): Promise<Fact | null> {
  try {
    return await fetch()
  } catch (error) {
    if (error instanceof GatewayRefused) return null
    throw error
  }
}

async function accountFor(ctx: Context, suspect: Suspect, report: AuditReport): Promise<void> {
  const { kind, id, paymentId, state, amountMinor, currency } = suspect
  const there = { state, amountMinor, currency }
  const payment = await ctx.payments.fetchPayment(paymentId)
  const { facts, purchases } = await findByReceipt(
    ctx,
    factsOf({
      payments: [payment],
      refundsAndDisputes: [...(await fetchRefunds(ctx, [payment])), ...suspect.refundsAndDisputes],
    }),
  )
  const purchaseId = purchases[0]?.id ?? null
  if (purchaseId === null) {
    report.foreign.push({ kind, id: paymentId, purchaseId, there, here: null })
    return
  }
  const { razorpayOrderId } = payment
  ctx.log.alert(ALERTS[kind], {
    id,
    paymentId,
    razorpayOrderId,
    state,
    amount: formatMoney(amountMinor, currency),
  })
  for (const purchase of purchases) {
    await settle(ctx, purchase, facts, [recordCause(ctx, purchase.id, 'audit')])
  }
  const { here, left } = await ctx.db.batch({
    here: selectNews(ctx, suspect.refundsAndDisputes),
    left: selectUnaccounted(ctx, payment.status === 'captured' ? [payment] : []),
  })
  if (left.length > 0) throw new Error('settling did not account for the payment')
  const [contradiction = null] = z.array(z.object(Here)).parse(here)
  const entry = { kind, id, purchaseId, there, here: contradiction }
  if (contradiction === null) report.found.push(entry)
  else report.contradicted.push(entry)
}

/** One alert for all of them, because another site may use the same account at Razorpay. */
function alertOfForeign(ctx: Context, { foreign }: AuditReport): void {
  if (foreign.length === 0) return
  ctx.log.alert('money for an unknown order', {
    payments: foreign.length,
    paymentIds: idsIn(foreign),
  })
}

/** One alert for all of them: the first says what is here and there, `ids` names the others. */
function alertOfContradictions({ log }: Context, { contradicted }: AuditReport): void {
  const [first] = contradicted
  if (first === undefined) return
  const { purchaseId, here, there } = first
  log.alert('what is stored contradicts Razorpay', {
    count: contradicted.length,
    ids: idsIn(contradicted),
    purchaseId,
    here: sayOf(here),
    there: sayOf(there),
  })
}

const idsIn = (found: readonly Found[]) =>
  found
    .slice(0, EXAMPLES_MAX)
    .map(({ id }) => id)
    .join(' ')

const sayOf = (known: Found['here']) =>
  known === null ? 'unknown' : `${known.state} ${formatMoney(known.amountMinor, known.currency)}`

const Here = { state: z.string(), amountMinor: z.int(), currency: z.string() }
const UnlistedRow = z.object({
  id: z.string(),
  kind: z.enum(['refund', 'dispute']),
  purchaseId: z.string(),
  ...Here,
})
const GrantRow = z.object({
  purchaseId: z.string(),
  paymentId: z.string(),
  razorpayOrderId: z.string(),
  amountMinor: z.int(),
  currency: z.string(),
})
type GrantRow = z.output<typeof GrantRow>

async function idsOf(
  { db }: Context,
  select: ReturnType<Context['db']['all']>,
): Promise<ReadonlySet<string>> {
  const [rows] = await db.batch([select])
  const parsed = z.array(z.object({ id: z.string() })).parse(rows)
  return new Set(parsed.map(({ id }) => id))
}

/**
 * The payments that neither back a grant nor are owed back, or whose refunds are unknown here. A refund that we sent is
 * stored before a payment's total tells of it.
 */
function selectUnaccounted({ db }: Context, payments: readonly PaymentFact[]) {
  return db.all(sql`
    SELECT f.value ->> 'paymentId' AS id
    FROM json_each(${JSON.stringify(payments)}) f
    WHERE NOT EXISTS (SELECT 1 FROM grants g WHERE g.payment_id = f.value ->> 'paymentId')
        AND NOT EXISTS (SELECT 1 FROM owed_refunds o WHERE o.payment_id = f.value ->> 'paymentId')
      OR EXISTS (
        SELECT 1 FROM payments m
        WHERE m.id = f.value ->> 'paymentId'
          AND max(m.amount_refunded_minor, (
            SELECT coalesce(sum(t.amount_minor), 0) FROM refunds_and_disputes t
            WHERE t.payment_id = m.id AND t.kind = 'refund' AND t.state <> 'undone'
          )) < f.value ->> 'amountRefundedMinor'
      )
  `)
}

/** The refunds and disputes of known payments that are unknown or otherwise here, with what is stored here. */
function selectNews({ db, now }: Context, facts: readonly RefundOrDispute[]) {
  return db.all(sql`
    SELECT f.value ->> 'id' AS id, t.state, t.amount_minor AS amountMinor, t.currency
    FROM json_each(${JSON.stringify(facts)}) f
    JOIN payments m ON m.id = f.value ->> 'paymentId'
    LEFT JOIN refunds_and_disputes t ON t.id = f.value ->> 'id'
    WHERE t.id IS NULL OR t.payment_id <> m.id OR t.amount_minor <> f.value ->> 'amountMinor'
      OR t.currency <> f.value ->> 'currency'
      OR (t.kind = 'dispute' AND t.state <> f.value ->> 'state')
      OR (t.state = 'open' AND f.value ->> 'state' <> 'open')
      OR (t.state = 'final' AND f.value ->> 'state' = 'undone')
      OR (t.state = 'undone' AND f.value ->> 'state' = 'final')
      OR (t.state = 'final' AND f.value ->> 'state' = 'open' AND t.updated_at < ${now - LISTS_LAG_MS})
  `)
}

/** The refunds and disputes of ours that are open or began lately, and that Razorpay's lists did not contain. */
function selectUnlisted(
  { db, paymentMode }: Context,
  { listed, refundsFrom }: { listed: readonly RefundOrDispute[]; refundsFrom: number },
) {
  return db.all(sql`
    SELECT t.id, t.kind, p.id AS purchaseId, t.state, t.amount_minor AS amountMinor, t.currency
    FROM refunds_and_disputes t
    JOIN payments m ON m.id = t.payment_id
    JOIN purchases p ON p.id = m.purchase_id
    WHERE (t.state IN ('inquiry', 'open')
        OR (t.kind = 'refund' AND t.state = 'final' AND t.began_at >= ${refundsFrom}))
      AND t.id NOT IN (SELECT f.value ->> 'id' FROM json_each(${JSON.stringify(listed)}) f)
      AND p.payment_mode = ${paymentMode}
    ORDER BY t.updated_at
    LIMIT ${OPEN_MAX}
  `)
}

/** The grants of these spans and the payments behind them. `CROSS JOIN` keeps the spans first: each is a search of an index. */
function selectGrants({ db, paymentMode }: Context, spans: readonly Span[]) {
  return db.all(sql`
    SELECT g.purchase_id AS purchaseId, m.id AS paymentId, m.razorpay_order_id AS razorpayOrderId,
      m.amount_minor AS amountMinor, m.currency
    FROM json_each(${JSON.stringify(spans)}) s
    CROSS JOIN grants g ON g.granted_at >= s.value ->> 'from' AND g.granted_at < s.value ->> 'to'
    JOIN payments m ON m.id = g.payment_id
    WHERE g.payment_mode = ${paymentMode}
  `)
}
