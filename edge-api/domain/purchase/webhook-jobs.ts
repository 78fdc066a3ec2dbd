import { and, asc, inArray, isNull, lte, sql } from 'drizzle-orm'
import { grants, webhookEvents } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'
import { factsOf } from '../ports/payments.ts'
import { days, hours, minutes } from '../time.ts'
import { statementsAbout, statesOf } from './load.ts'
import { processEvent } from './webhooks.ts'

const PER_RUN = 20

/** Settles events that were stored and then not settled, because something failed in between. */
export async function retryWebhooks(ctx: Context): Promise<void> {
  const [events] = await ctx.db.batch([claimEvents(ctx)])
  for (const { eventId, body, attempts } of events) {
    try {
      const facts = ctx.payments.readEvent(body).facts ?? factsOf({})
      const purchases = statesOf(await ctx.db.batch(statementsAbout(ctx, facts)))
      await processEvent(ctx, { eventId, facts, purchases, attempts })
    } catch (error) {
      ctx.log.error('a webhook could not be settled', error, { eventId, attempts })
    }
  }
}

/** One minute after it was received, then each time its age has doubled. */
const nextTryAt = sql`${webhookEvents.receivedAt} + ${minutes(1)} * (1 << ${webhookEvents.attempts})`

function claimEvents({ db, now }: Context) {
  const waiting = db
    .select({ eventId: webhookEvents.eventId })
    .from(webhookEvents)
    .where(and(isNull(webhookEvents.processedAt), lte(nextTryAt, now)))
    .orderBy(asc(webhookEvents.attempts), asc(webhookEvents.receivedAt))
    .limit(PER_RUN)
  return db
    .update(webhookEvents)
    .set({ attempts: sql`${webhookEvents.attempts} + 1` })
    .where(inArray(webhookEvents.eventId, waiting))
    .returning()
}

const SILENCE_MS = days(2)
/** A webhook about what was paid just now may still be on its way. */
const DELAY_MS = hours(1)

/**
 * Alerts when something was paid in the last two days and no webhook came meanwhile: Razorpay may have disabled ours. The
 * span is days, because a small shop sells little in an hour.
 */
export async function alertOfSilence({ db, now, paymentMode, log }: Context): Promise<void> {
  const since = now - SILENCE_MS
  const [rows] = await db.batch([
    db.all<{ paid: number }>(sql`
      SELECT count(*) AS paid FROM ${grants}
      WHERE granted_at BETWEEN ${since} AND ${now - DELAY_MS} AND payment_mode = ${paymentMode}
        AND NOT EXISTS (SELECT 1 FROM ${webhookEvents} WHERE received_at > ${since})`),
  ])
  const paid = rows[0]?.paid ?? 0
  if (paid > 0) log.alert('no webhook arrives', { paid, days: SILENCE_MS / days(1) })
}
