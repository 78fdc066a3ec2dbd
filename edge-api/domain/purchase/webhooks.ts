import { and, eq, gt, sql } from 'drizzle-orm'
import { SERVER } from '../../../src/contract/messages.ts'
import { webhookEvents } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'
import { sha256Hex } from '../encoding.ts'
import { type Facts, factsOf, type ProviderEvent } from '../ports/payments.ts'
import { ApiError } from '../api-error.ts'
import { days } from '../time.ts'
import { findByReceipt } from './ask-razorpay.ts'
import { type Loaded, statementsAbout, statesOf } from './load.ts'
import { settle } from './settle.ts'

export interface Delivery {
  /** As received: the signature covers these bytes. */
  body: Uint8Array<ArrayBuffer>
  signature: string
  /** Razorpay's id of the event. It is not signed, so it only saves work. */
  eventId: string | null
}

/**
 * Verifies the signature of an event, parses it, stores it and settles it. Throws SIGNATURE_INVALID before anything is
 * read or written, NOT_CONFIGURED without a secret, and any error that keeps the event from being stored: Razorpay then
 * sends it again. Once stored it never throws, because `retryWebhooks` (webhook-jobs.ts) tries again.
 */
export async function receiveWebhook(ctx: Context, delivery: Delivery): Promise<void> {
  if (!(await ctx.payments.isWebhookSignature(delivery.body, delivery.signature))) {
    throw new ApiError('SIGNATURE_INVALID', SERVER.signature)
  }
  const body = new TextDecoder().decode(delivery.body)
  const event = ctx.payments.readEvent(body)
  if (event.facts === null) {
    ctx.log.alert('a webhook was not understood', { webhook: event.name })
  }
  const facts = event.facts ?? factsOf({})
  const received = { event, body, facts }
  const { eventId, isDone, purchases } = await keepEvent(ctx, delivery.eventId, received)
  if (isDone) return
  try {
    await processEvent(ctx, { eventId, facts, purchases, attempts: 0 })
  } catch (error) {
    ctx.log.error('a webhook will be tried again', error, { eventId })
  }
}

/**
 * Stores the event and returns its id: the header's, or a hash of the body when there is none or when another body came
 * under the same id before, so that neither event is lost.
 */
async function keepEvent(
  ctx: Context,
  headerId: string | null,
  { facts, ...received }: { event: ProviderEvent; body: string; facts: Facts },
) {
  const ownId = `sha256-${await sha256Hex(received.body)}`
  const given = headerId !== null && /^[\w-]{1,64}$/.test(headerId) ? headerId : ownId
  for (const eventId of [given, ownId]) {
    const { events, ...rows } = await ctx.db.batch({
      stored: storeEvent(ctx, eventId, received),
      events: ctx.db.select().from(webhookEvents).where(eq(webhookEvents.eventId, eventId)),
      ...statementsAbout(ctx, facts),
    })
    const [stored] = events
    if (stored?.body !== received.body) continue
    return { eventId, isDone: stored.processedAt !== null, purchases: statesOf(rows) }
  }
  throw new Error('the database stored no event')
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

/** The outcome of an event of which something was not settled, because it is of another purchase. */
const CONTRADICTION = 'contradiction'
/** The outcome of an event about captured money for an order that is not ours. */
const UNKNOWN_MONEY = 'unknown_money'
/** How often an event about an unknown order is tried before it is given up. */
const TRIES_MAX = 5

interface KnownEvent {
  eventId: string
  facts: Facts
  /** The purchases that the facts are about. */
  purchases: readonly Loaded[]
  attempts: number
}

/**
 * Settles every purchase that a stored event is about, usually one, and marks the event in the batch of the last. An event about
 * an unknown order is tried again for a while: it may be a link's order, and the event that says so still on its way.
 */
export async function processEvent(ctx: Context, event: KnownEvent): Promise<void> {
  if (event.purchases.length > 0) return settleAll(ctx, event)
  if (event.attempts < TRIES_MAX) return
  const found = await findByReceipt(ctx, event.facts)
  if (found.purchases.length === 0) return giveUp(ctx, event.eventId, found.facts)
  await settleAll(ctx, { ...event, ...found })
}

async function settleAll(ctx: Context, { eventId, facts, purchases }: KnownEvent): Promise<void> {
  for (const loaded of purchases) {
    const done = loaded === purchases.at(-1) ? [markDone(ctx, eventId, 'settled')] : []
    const ifOfAnother = [
      ctx.db
        .update(webhookEvents)
        .set({ outcome: CONTRADICTION })
        .where(eq(webhookEvents.eventId, eventId)),
    ]
    const options = { cause: `webhook ${eventId}`, also: done, ifOfAnother, loaded }
    await settle(ctx, loaded.state.purchase, facts, options)
  }
}

/** Alerts at most once a day, because another site may use the same account. The daily audit names all such payments. */
async function giveUp(ctx: Context, eventId: string, { payments }: Facts): Promise<void> {
  const paid = payments.find(({ status }) => status === 'captured')
  const outcome = paid === undefined ? 'unknown_order' : UNKNOWN_MONEY
  const { before } = await ctx.db.batch({
    before: ctx.db
      .select({ eventId: webhookEvents.eventId })
      .from(webhookEvents)
      .where(
        and(
          gt(webhookEvents.processedAt, ctx.now - days(1)),
          eq(webhookEvents.outcome, UNKNOWN_MONEY),
        ),
      )
      .limit(1),
    done: markDone(ctx, eventId, outcome),
  })
  if (paid === undefined || before.length > 0) return
  ctx.log.alert('money for an unknown order', { eventId, paymentId: paid.paymentId })
}

function markDone({ db, now }: Context, eventId: string, outcome: string) {
  return db
    .update(webhookEvents)
    .set({ processedAt: now, outcome: sql`coalesce(${webhookEvents.outcome}, ${outcome})` })
    .where(eq(webhookEvents.eventId, eventId))
}
