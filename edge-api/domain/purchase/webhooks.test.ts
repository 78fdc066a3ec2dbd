import { asc, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { useJobBench } from '../../../tests/harness/world/job-bench.ts'
import { providerId } from '../../../tests/harness/world/purchase.ts'
import { paymentEvent, signWebhook } from '../../../tests/harness/world/razorpay.ts'
import { webhookEvents } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'
import { minutes } from '../time.ts'
import { receiveWebhook, retryWebhooks } from './webhooks.ts'

const bench = useJobBench()

/** A paid order, and the webhook event about it. */
async function paidOrder() {
  const world = bench.world
  const opened = await bench.openOrder()
  const { orderId, draft } = opened
  await world.read(sql`
    UPDATE purchases SET razorpay_order_id = ${orderId}, status = 'open' WHERE id = ${draft.id}`)
  const { paymentId } = await bench.razorpay.pay(orderId)
  const { amountMinor: amount, currency } = draft
  const payment = { id: paymentId, order_id: orderId, amount, currency }
  return { ...opened, body: paymentEvent('payment.captured', payment) }
}

const receive = (ctx: Context, body: string, eventId: string | null) =>
  receiveWebhook(ctx, {
    body: new TextEncoder().encode(body),
    signature: signWebhook(body),
    eventId,
  })

async function kept({ db }: Context, bodies: readonly string[]) {
  const [rows] = await db.batch([
    db
      .select()
      .from(webhookEvents)
      .orderBy(asc(webhookEvents.receivedAt), asc(webhookEvents.eventId)),
  ])
  return bodies.map((body) => rows.filter((row) => row.body === body).map(({ outcome }) => outcome))
}

test('an event that waits under an id is not marked done when another body arrives under it', async () => {
  const [first, second] = [await paidOrder(), await paidOrder()]
  const eventId = crypto.randomUUID().slice(0, 14)
  const { ctx } = first.world
  // As after a crash between storing and processing.
  await ctx().db.batch([
    ctx().db.insert(webhookEvents).values({
      eventId,
      event: 'payment.captured',
      body: first.body,
      receivedAt: ctx().now,
    }),
  ])
  await receive(ctx(), second.body, eventId)
  expect(await second.outcome()).toMatchObject({ status: 'paid', grants: 1 })
  expect(await first.outcome()).toMatchObject({ status: 'open', grants: 0 })
  first.world.advance(minutes(2))
  await retryWebhooks(first.world.ctx())
  expect(await first.outcome()).toMatchObject({ status: 'paid', grants: 1 })
  expect(await kept(ctx(), [first.body, second.body])).toEqual([['settled'], ['settled']])
})

test('another body under the id of a processed event is kept until its order is known or given up', async () => {
  const { world, body } = await paidOrder()
  const eventId = crypto.randomUUID().slice(0, 14)
  await receive(world.ctx(), body, eventId)
  const stranger = paymentEvent('payment.captured', {
    id: providerId('pay'),
    order_id: providerId('order'),
  })
  await receive(world.ctx(), stranger, eventId)
  await receive(world.ctx(), stranger, eventId)
  expect(await kept(world.ctx(), [body, stranger])).toEqual([['settled'], [null]])
  for (let run = 0; run < 20; run += 1) {
    world.advance(minutes(1))
    await retryWebhooks(world.ctx())
  }
  expect(await kept(world.ctx(), [stranger])).toEqual([['unknown_money']])
  expect(world.alerts.map(({ event }) => event)).toEqual(['money for an unknown order'])
})
