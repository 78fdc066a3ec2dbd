import { and, asc, eq, getTableColumns, inArray, lte, type SQL, sql } from 'drizzle-orm'
import { purchases } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'
import { hours, minutes } from '../time.ts'
import {
  type Facts,
  factsOf,
  type PaymentFact,
  GatewayRejected,
  GatewayUnavailable,
} from '../ports/payments.ts'
import { fetchFacts } from './ask-razorpay.ts'
import { ofThisMode, type Purchase } from './purchase.ts'
import { settle } from './settle.ts'

/** Cloudflare limits the requests that one run may send. */
const PER_RUN = 40
/** For this long after a run claimed a purchase for a check, no other run checks it. */
const CLAIM_MS = minutes(5)
/** The longest pause after Razorpay was unavailable; older purchases wait longer. */
const OUTAGE_PAUSE_MAX_MS = hours(1)
const OUTAGES_MAX = 3
/** A check without an answer raises an alert when the count of checks is a multiple of this. */
const CHECKS_PER_ALERT = 10

/**
 * Asks Razorpay about every purchase that is due and settles the answers: captures payments that were only authorized,
 * and lets unpaid purchases expire.
 */
export async function reconcilePurchases(ctx: Context): Promise<void> {
  const [claimed] = await ctx.db.batch([claimDue(ctx)])
  const due = claimed.toSorted((one, other) => one.lacksEvidence - other.lacksEvidence)
  let outages = 0
  for (const [index, purchase] of due.entries()) {
    if (outages >= OUTAGES_MAX) {
      const checkCount = sql`${purchases.checkCount} - 1`
      await reschedule(ctx, due.slice(index), { nextCheckAt: ctx.now, checkCount })
      break
    }
    if (!(await reconcileOne(ctx, purchase))) outages += 1
  }
  if (outages > 0) ctx.log.info('the payment provider is out of reach', { outages })
}

/** False when Razorpay was unavailable. */
async function reconcileOne(ctx: Context, purchase: Purchase): Promise<boolean> {
  try {
    const facts = await captureAuthorized(ctx, purchase, await fetchFacts(ctx, purchase))
    await settle(ctx, purchase, facts, { cause: 'reconcile', isReconcile: true })
    return true
  } catch (error) {
    const fields = { purchaseId: purchase.id }
    if (error instanceof GatewayUnavailable) {
      if (purchase.checkCount % CHECKS_PER_ALERT === 0) {
        ctx.log.alert('the payment provider does not answer for a purchase', fields)
      }
      // Later each time, so that such purchases do not crowd out the others.
      const age = ctx.now - purchase.createdAt
      const pause = Math.min(Math.max(Math.round(age / 2), CLAIM_MS), OUTAGE_PAUSE_MAX_MS)
      await reschedule(ctx, [purchase], { nextCheckAt: ctx.now + pause })
      return false
    }
    if (error instanceof GatewayRejected) {
      ctx.log.alert('the payment provider refused', { ...fields, reason: error.reason })
      // Settling without facts schedules the next check and lets the purchase expire.
      await settle(ctx, purchase, factsOf({}), { isReconcile: true })
    } else {
      ctx.log.error('a purchase could not be reconciled', error, fields)
      ctx.log.alert('job failed', { job: 'reconcilePurchases', ...fields })
    }
    return true
  }
}

/** Schedules purchases that this run claimed and nobody settled since. */
async function reschedule(
  { db, now }: Context,
  claimed: readonly Purchase[],
  schedule: { nextCheckAt: number; checkCount?: SQL },
): Promise<void> {
  const ids = claimed.map(({ id }) => id)
  const isStillClaimed = eq(purchases.nextCheckAt, now + CLAIM_MS)
  await db.batch([
    db
      .update(purchases)
      .set(schedule)
      .where(and(inArray(purchases.id, ids), isStillClaimed)),
  ])
}

/** Captures payments that were authorized at the last check already: Razorpay normally captures by itself. */
async function captureAuthorized(ctx: Context, purchase: Purchase, facts: Facts): Promise<Facts> {
  if (purchase.status !== 'authorized') return facts
  const payments: PaymentFact[] = []
  for (const fact of facts.payments) payments.push(await captureOrKeep(ctx, purchase, fact))
  return { ...facts, payments }
}

/** Asks for the amount of the purchase, not of the payment. */
async function captureOrKeep(
  ctx: Context,
  { id, amountMinor, currency }: Purchase,
  fact: PaymentFact,
): Promise<PaymentFact> {
  const isCapturable =
    fact.status === 'authorized' &&
    fact.amountRefundedMinor === 0 &&
    fact.amountMinor === amountMinor &&
    fact.currency === currency
  if (!isCapturable) return fact
  try {
    return await ctx.payments.capture({ paymentId: fact.paymentId, amountMinor, currency })
  } catch (error) {
    if (!(error instanceof GatewayRejected)) throw error
    ctx.log.alert('a payment could not be captured', { purchaseId: id, reason: error.reason })
    return fact
  }
}

/**
 * Claims the purchases that are due. Those with evidence of a payment (a signature, or what Razorpay reported before) come first,
 * and accounts take turns, so that nobody's unpaid orders keep a paid purchase waiting.
 */
function claimDue(ctx: Context) {
  const { db, now } = ctx
  const lacksEvidence = sql<number>`(${purchases.verifiedAt} IS NULL AND ${purchases.status} NOT IN ('attempted', 'authorized', 'paid'))`
  const turn = sql`row_number() OVER (
    PARTITION BY ${purchases.userId}, ${lacksEvidence} ORDER BY ${purchases.nextCheckAt})`
  const due = db
    .select({ id: purchases.id })
    .from(purchases)
    .where(and(lte(purchases.nextCheckAt, now), ofThisMode(ctx)))
    .orderBy(lacksEvidence, turn, asc(purchases.nextCheckAt))
    .limit(PER_RUN)
  return db
    .update(purchases)
    .set({ nextCheckAt: now + CLAIM_MS, checkCount: sql`${purchases.checkCount} + 1` })
    .where(inArray(purchases.id, due))
    .returning({ ...getTableColumns(purchases), lacksEvidence })
}
