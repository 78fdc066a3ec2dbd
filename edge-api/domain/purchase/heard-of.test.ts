import { expect, test } from 'vitest'
import { memoryWorld } from '../../../tests/harness/world/memory-world.ts'
import { openUnpaidPurchase, paymentFor, refundOf } from '../../../tests/harness/world/purchase.ts'
import { webhookEvents } from '../../db/schema/purchases.ts'
import { days, hours } from '../time.ts'
import { factsOf } from '../ports/payments.ts'
import { alertOfSilence } from './alert-of-silence.ts'
import { recordCause } from './record-cause.ts'
import { settle } from './settle.ts'

/** A world with a paid purchase, and what is heard of webhooks there. */
async function openSilence() {
  const world = memoryWorld()
  const { purchase, report } = await openUnpaidPurchase({}, world)
  return {
    world,
    pay: () => report({ payments: [paymentFor(purchase)] }),
    hear: async () => {
      const { db, now } = world.ctx()
      const event = { eventId: 'event-1', event: 'order.paid', body: '{}', receivedAt: now }
      await db.batch([db.insert(webhookEvents).values(event)])
    },
    alerts: async (ctx = world.ctx()) => {
      await alertOfSilence(ctx)
      return world.alerts.splice(0)
    },
  }
}

test('what was paid an hour to two days ago without any webhook is an alert', async () => {
  const { world, pay, alerts } = await openSilence()
  expect(await alerts()).toEqual([])
  await pay()
  world.advance(hours(1) - 1)
  expect(await alerts()).toEqual([])
  world.advance(1)
  const alert = { event: 'no webhook arrives', fields: { paid: 1, days: 2 } }
  expect(await alerts()).toEqual([alert])
  expect(await alerts(world.ctxOf('live'))).toEqual([])
  world.advance(days(2) - hours(1))
  expect(await alerts()).toEqual([alert])
  world.advance(1)
  expect(await alerts()).toEqual([])
})

test('a webhook of the last two days is heard, whatever was paid', async () => {
  const { world, pay, hear, alerts } = await openSilence()
  await hear()
  const heardAt = world.now()
  await pay()
  world.advance(heardAt + days(2) - 1 - world.now())
  expect(await alerts()).toEqual([])
  world.advance(1)
  expect(await alerts()).toHaveLength(1)
})

test('what brought no news of a purchase leaves no cause, though other purchases changed in the same instant', async () => {
  const world = memoryWorld()
  const one = await openUnpaidPurchase({}, world)
  const other = await openUnpaidPurchase({}, world)
  const ours = paymentFor(one.purchase)
  const theirs = paymentFor(other.purchase)
  const settled = async (cause: string, refundsAndDisputes: ReturnType<typeof refundOf>[] = []) => {
    const ctx = world.ctx()
    await settle(ctx, one.purchase, factsOf({ payments: [ours], refundsAndDisputes }), [
      recordCause(ctx, one.purchase.id, cause),
    ])
  }
  await settled('the first payment')
  await other.report({ payments: [theirs] })
  await settled('the same again')
  await other.report({ refundsAndDisputes: [refundOf(theirs, { amountMinor: 100 })] })
  await settled('again')
  world.advance(1_000)
  await settled('a refund', [refundOf(ours, { amountMinor: 100 })])
  expect(world.read('SELECT cause FROM purchase_causes ORDER BY created_at')).toEqual([
    { cause: 'the first payment' },
    { cause: 'a refund' },
  ])
})
