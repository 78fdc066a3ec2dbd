import { eq } from 'drizzle-orm'
import { webhookEvents } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'
import type { Facts } from '../ports/payments.ts'
import type { Purchase } from './purchase-row.ts'
import { settle } from './settle.ts'

/** Facts that name nothing of ours are kept this often for the purchase to turn up. */
const TRIES_MAX = 5

interface KnownEvent {
  eventId: string
  facts: Facts
  /** The purchases the facts speak of. */
  purchases: readonly Purchase[]
  attempts: number
}

/**
 * Works on a stored event: settles every purchase it speaks of and marks it done in the same batch.
 * One that speaks of an unknown order stays open for the sweep for a while: its purchase may be just
 * about to learn its order id.
 */
export async function processEvent(ctx: Context, event: KnownEvent): Promise<void> {
  const { eventId, facts, purchases, attempts } = event
  const last = purchases.at(-1)
  if (last === undefined) {
    if (attempts >= TRIES_MAX) await giveUp(ctx, eventId, facts)
    return
  }
  for (const purchase of purchases) {
    const done = purchase === last ? [markDone(ctx, eventId, 'settled')] : []
    await settle(ctx, purchase, facts, done)
  }
}

async function giveUp(ctx: Context, eventId: string, { payments }: Facts): Promise<void> {
  await ctx.db.batch([markDone(ctx, eventId, 'unknown_order')])
  for (const { paymentId, status } of payments) {
    if (status === 'captured') ctx.log.alert('money for an unknown order', { eventId, paymentId })
  }
}

function markDone({ db, now }: Context, eventId: string, outcome: string) {
  return db
    .update(webhookEvents)
    .set({ processedAt: now, outcome })
    .where(eq(webhookEvents.eventId, eventId))
}
