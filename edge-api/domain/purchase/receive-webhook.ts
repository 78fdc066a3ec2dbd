import { eq } from 'drizzle-orm'
import { SERVER } from '../../../src/contract/messages.ts'
import { webhookEvents } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'
import { sha256Hex } from '../encoding.ts'
import { Refusal } from '../refusal.ts'
import { type Facts, factsOf, type ProviderEvent } from '../ports/payments.ts'
import { purchasesOfFacts } from './find-purchase.ts'
import { processEvent } from './process-event.ts'

export interface Delivery {
  /** Exactly as received: the signature is over these bytes. */
  body: Uint8Array<ArrayBuffer>
  signature: string
  /** Razorpay's id of the event; not signed, so only ever a short cut. */
  eventId: string | null
}

/**
 * Takes an event of the provider: signature over the raw bytes, then parsing, then the event is kept,
 * then it is worked on. Throws SIGNATURE_INVALID with nothing read or written, NOT_CONFIGURED without a
 * secret, and whatever keeps the event from being stored: Razorpay then sends it again. Once stored it
 * never throws: the sweep goes on with it.
 */
export async function receiveWebhook(ctx: Context, delivery: Delivery): Promise<void> {
  if (!(await ctx.payments.isWebhookSignature(delivery.body, delivery.signature))) {
    throw new Refusal('SIGNATURE_INVALID', SERVER.signature)
  }
  const body = new TextDecoder().decode(delivery.body)
  const event = ctx.payments.readEvent(body)
  if (event.facts === null) ctx.log.alert('a webhook was not understood', { event: event.name })
  const facts = event.facts ?? factsOf({})
  const { eventId, isDone, purchases } = await keepEvent(ctx, delivery.eventId, {
    event,
    body,
    facts,
  })
  if (isDone || isEmpty(facts)) return
  try {
    await processEvent(ctx, { eventId, facts, purchases, attempts: 0 })
  } catch (error) {
    ctx.log.error('a webhook waits for the sweep', error, { eventId })
  }
}

/**
 * Stores the event and answers the id it is kept under: the header's, or one made of the body where
 * there is none or another body came under it before. Neither is lost, nor done with the other.
 */
async function keepEvent(
  ctx: Context,
  headerId: string | null,
  { facts, ...received }: { event: ProviderEvent; body: string; facts: Facts },
) {
  const ownId = `sha256-${await sha256Hex(received.body)}`
  const given = headerId !== null && /^[\w-]{1,64}$/.test(headerId) ? headerId : ownId
  for (const eventId of [given, ownId]) {
    const [, [stored], purchases] = await ctx.db.batch([
      storeEvent(ctx, eventId, received),
      ctx.db.select().from(webhookEvents).where(eq(webhookEvents.eventId, eventId)),
      purchasesOfFacts(ctx, facts),
    ])
    if (stored?.body !== received.body) continue
    return { eventId, isDone: stored.processedAt !== null, purchases }
  }
  throw new Error('the database kept no event')
}

function storeEvent(
  { db, now }: Context,
  eventId: string,
  { event, body }: { event: ProviderEvent; body: string },
) {
  const outcome = event.facts === null ? 'mismatch' : isEmpty(event.facts) ? 'ignored' : null
  return db
    .insert(webhookEvents)
    .values({
      eventId,
      event: event.name,
      body,
      receivedAt: now,
      processedAt: outcome === null ? null : now,
      outcome,
    })
    .onConflictDoNothing()
}

function isEmpty(facts: Facts): boolean {
  return Object.values(facts).every((list) => list.length === 0)
}
