import { expect, test } from 'vitest'
import { MAIN_PLAN } from '../../../src/contract/catalogue.ts'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { useJobBench } from '../../../tests/harness/world/job-bench.ts'
import { callOf, createWorld } from '../../../tests/harness/world/world.ts'
import { minutes } from '../time.ts'
import { createOrder } from './create-order.ts'
import { createPaymentLink } from './create-payment-link.ts'
import { paymentStatus } from './payment-status.ts'
import { reconcilePurchases } from './reconcile.ts'
import { returnFromCheckout, returnFromLink } from './return-from-payment.ts'
import { activateSubscription } from './verify-payment.ts'

const bench = useJobBench()

const body = { planType: MAIN_PLAN.sku, preferredCurrency: 'USD' } as const

async function newShopper() {
  const world = bench.world
  const call = callOf(await createAccount(world.ctx()))
  return {
    world,
    call,
    settlement: async (id: string) => {
      const { payment } = await paymentStatus(world.ctx(), { ...call, params: { id } })
      return payment.settlement
    },
    runJob: async () => {
      world.advance(minutes(2))
      await reconcilePurchases(world.ctx())
    },
  }
}

const outage = () => bench.razorpay.fail()

const decline = (orderId: string) =>
  bench.razorpay.send('POST', '/payments', {
    order_id: orderId,
    method: 'card',
    outcome: 'failure',
  })

test('a payment through a link while Razorpay does not answer is being confirmed, also after a declined one', async () => {
  const { world, call, settlement, runJob } = await newShopper()
  const { order } = await createOrder(world.ctx(), { ...call, body })
  await decline(order.id)
  await runJob()
  const { paymentLink: link } = await createPaymentLink(world.ctx(), { ...call, body })
  expect(await settlement(link.purchaseId)).toBe('failed')
  const page = await (await bench.fetch(link.url)).text()
  const [orderId = ''] = /order_EMU\w{11}/.exec(page) ?? []
  const { paymentId } = await bench.razorpay.pay(orderId)
  const done = await bench.fetch(`${link.url}/done?payment_id=${paymentId}`, { redirect: 'manual' })
  const { searchParams } = new URL(done.headers.get('location') ?? '')
  await outage()
  const back = await returnFromLink(world.ctx(), Object.fromEntries(searchParams))
  expect(back).toBe(
    `/subscription/success?payment_id=${paymentId}&subscription_id=${link.purchaseId}`,
  )
  expect(await settlement(link.purchaseId)).toBe('pending')
  expect(await activateSubscription(world.ctx(), call)).toMatchObject({ status: 'pending' })
  await bench.razorpay.clearFaults()
  await runJob()
  expect(await settlement(link.purchaseId)).toBe('paid')
})

test('a genuine signature leads to the success page although the database does not answer', async () => {
  const { world, call } = await newShopper()
  const { order } = await createOrder(world.ctx(), { ...call, body })
  const { orderId, paymentId, signature } = await bench.razorpay.pay(order.id)
  const form = {
    razorpay_order_id: orderId,
    razorpay_payment_id: paymentId,
    razorpay_signature: signature,
  }
  const { db } = createWorld({ databaseUrl: 'http://127.0.0.1:9' }).ctx()
  const ctx = { ...world.ctx(), db }
  expect(await returnFromCheckout(ctx, form)).toContain('/subscription/success?')
  const forged = { ...form, razorpay_signature: 'a'.repeat(64) }
  expect(await returnFromCheckout(ctx, forged)).toBe(
    '/subscription/cancel?reason=verification_failed',
  )
})
