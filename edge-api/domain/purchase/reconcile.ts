import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
import { purchases, webhookEvents } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'
import { hours, minutes } from '../time.ts'
import {
  type Facts,
  factsOf,
  type PaymentFact,
  GatewayRefused,
  GatewayUnavailable,
} from '../ports/payments.ts'
import { ofThisMode } from './find-purchase.ts'
import { lookUp } from './look-up.ts'
import type { Purchase } from './purchase-row.ts'
import { settle } from './settle.ts'

/** Bounded by how many requests one run of a Worker may send. */
const PER_RUN = 40
/** Whoever is looked at is not due for anybody else, nor again if this run dies. */
const CLAIM_MS = minutes(5)
/** Who got no answer waits longer the older the purchase is, but no longer than this. */
const OUTAGE_PAUSE_MAX_MS = hours(1)
const OUTAGES_MAX = 3
/** Told to the operator whenever it has been looked at this often without an answer at the last. */
const CHECKS_PER_ALERT = 10
const SILENCE_MS = hours(1)

/**
 * Looks every purchase that is due up at Razorpay and settles what is found: finds orders whose answer
 * was lost, captures what was only authorized, and lets what nobody paid expire.
 */
export async function reconcilePurchases(ctx: Context): Promise<void> {
  const [due] = await ctx.db.batch([claimDue(ctx)])
  let outages = 0
  let newlyPaid = 0
  for (const [index, purchase] of due.entries()) {
    if (outages >= OUTAGES_MAX) {
      await leaveForNextRun(ctx, due.slice(index))
      break
    }
    const outcome = await reconcileOne(ctx, purchase)
    if (outcome === 'outage') outages += 1
    if (outcome === 'paid') newlyPaid += 1
  }
  if (outages > 0) ctx.log.info('the payment provider is out of reach', { outages })
  if (newlyPaid >= OUTAGES_MAX) await alertIfSilent(ctx, newlyPaid)
}

async function reconcileOne(
  ctx: Context,
  purchase: Purchase,
): Promise<'outage' | 'paid' | 'looked'> {
  try {
    const facts = await captureAuthorized(ctx, purchase, await lookUp(ctx, purchase))
    const { isNewlyPaid } = await settle(ctx, purchase, facts)
    return isNewlyPaid ? 'paid' : 'looked'
  } catch (error) {
    const fields = { purchaseId: purchase.id }
    if (error instanceof GatewayUnavailable) {
      if (purchase.checkCount % CHECKS_PER_ALERT === 0) {
        ctx.log.alert('the payment provider does not answer for a purchase', fields)
      }
      await putOff(ctx, purchase)
      return 'outage'
    }
    if (error instanceof GatewayRefused) {
      ctx.log.alert('the payment provider refused', { ...fields, reason: error.reason })
      // Nothing was learned but that: it goes on to its next look, and expires in its time.
      await settle(ctx, purchase, factsOf({}))
    } else {
      ctx.log.error('a purchase could not be reconciled', error, fields)
    }
    return 'looked'
  }
}

/** Behind those that may be answered: some that never are must not keep the others from being looked at. */
async function putOff({ db, now }: Context, { id, createdAt }: Purchase): Promise<void> {
  const pause = Math.min(Math.max((now - createdAt) / 2, CLAIM_MS), OUTAGE_PAUSE_MAX_MS)
  await db.batch([
    db
      .update(purchases)
      .set({ nextCheckAt: now + Math.round(pause) })
      .where(and(eq(purchases.id, id), isStillClaimed(now))),
  ])
}

/** Nobody settled it meanwhile. */
const isStillClaimed = (now: number) => eq(purchases.nextCheckAt, now + CLAIM_MS)

/** Claimed and not reached: first of all in the next run. */
async function leaveForNextRun({ db, now }: Context, unseen: readonly Purchase[]): Promise<void> {
  const ids = unseen.map(({ id }) => id)
  await db.batch([
    db
      .update(purchases)
      .set({ nextCheckAt: now, checkCount: sql`${purchases.checkCount} - 1` })
      .where(and(inArray(purchases.id, ids), isStillClaimed(now))),
  ])
}

/**
 * Razorpay captures by itself; what was seen authorized at an earlier look and still is, is captured
 * here, for the amount of our own row.
 */
async function captureAuthorized(ctx: Context, purchase: Purchase, facts: Facts): Promise<Facts> {
  if (purchase.status !== 'authorized') return facts
  const payments: PaymentFact[] = []
  for (const fact of facts.payments) {
    payments.push(isCapturable(purchase, fact) ? await captureOrKeep(ctx, purchase, fact) : fact)
  }
  return { ...facts, payments }
}

function isCapturable(purchase: Purchase, fact: PaymentFact): boolean {
  return (
    fact.status === 'authorized' &&
    fact.amountRefundedMinor === 0 &&
    fact.amountMinor === purchase.amountMinor &&
    fact.currency === purchase.currency
  )
}

async function captureOrKeep(
  ctx: Context,
  { id, amountMinor, currency }: Purchase,
  fact: PaymentFact,
) {
  try {
    return await ctx.payments.capture({ paymentId: fact.paymentId, amountMinor, currency })
  } catch (error) {
    if (!(error instanceof GatewayRefused)) throw error
    ctx.log.alert('a payment could not be captured', { purchaseId: id, reason: error.reason })
    return fact
  }
}

function claimDue(ctx: Context) {
  const { db, now } = ctx
  const due = db
    .select({ id: purchases.id })
    .from(purchases)
    .where(and(lte(purchases.nextCheckAt, now), ofThisMode(ctx)))
    .orderBy(asc(purchases.nextCheckAt))
    .limit(PER_RUN)
  return db
    .update(purchases)
    .set({ nextCheckAt: now + CLAIM_MS, checkCount: sql`${purchases.checkCount} + 1` })
    .where(inArray(purchases.id, due))
    .returning()
}

/** Payments that only this job learned of, and no webhook: Razorpay may have disabled our endpoint. */
async function alertIfSilent(ctx: Context, newlyPaid: number): Promise<void> {
  const latest = sql<number | null>`max(${webhookEvents.receivedAt})`
  const [rows] = await ctx.db.batch([ctx.db.select({ latest }).from(webhookEvents)])
  const at = rows[0]?.latest ?? 0
  if (ctx.now - at > SILENCE_MS) ctx.log.alert('no webhook arrives', { newlyPaid })
}
