import { and, asc, inArray, isNull, lte, sql } from 'drizzle-orm'
import { webhookEvents } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'
import { minutes } from '../time.ts'
import { factsOf } from '../ports/payments.ts'
import { purchasesOfFacts } from './find-purchase.ts'
import { processEvent } from './process-event.ts'

const PER_RUN = 20

/** Goes on with events that were stored but not worked on, because something failed in between. */
export async function sweepWebhooks(ctx: Context): Promise<void> {
  const [events] = await ctx.db.batch([claimEvents(ctx)])
  for (const { eventId, body, attempts } of events) {
    try {
      const facts = ctx.payments.readEvent(body).facts ?? factsOf({})
      const [purchases] = await ctx.db.batch([purchasesOfFacts(ctx, facts)])
      await processEvent(ctx, { eventId, facts, purchases, attempts })
    } catch (error) {
      ctx.log.error('a webhook could not be swept', error, { eventId, attempts })
    }
  }
}

/** A minute after it came, then whenever it has become twice as old: one that never works out grows quiet. */
const nextTryAt = sql`${webhookEvents.receivedAt} + ${minutes(1)} * (1 << min(${webhookEvents.attempts}, 20))`

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
