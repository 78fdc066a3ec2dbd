import { expect, test } from 'vitest'
import { at, createBench, textAt } from '../bench.ts'

async function paidBench() {
  const bench = createBench()
  const id = textAt(await bench.pay(await bench.order()), 'razorpay_payment_id')
  const refund = (body: Record<string, unknown>, key?: string) =>
    bench.api('POST', `/payments/${id}/refund`, body, key ? { 'x-refund-idempotency': key } : {})
  const payment = async () => (await bench.api('GET', `/payments/${id}`)).json
  return { ...bench, id, refund, payment }
}

test('partial refunds add up to the whole and no further', async () => {
  const bench = await paidBench()
  expect(at((await bench.refund({ amount: 100_000 })).json, 'status')).toBe('processed')
  expect(await bench.payment()).toMatchObject({
    status: 'captured',
    refund_status: 'partial',
    amount_refunded: 100_000,
  })
  expect((await bench.refund({ amount: 200_000 })).status).toBe(400)
  await bench.refund({})
  expect(await bench.payment()).toMatchObject({ status: 'refunded', refund_status: 'full' })
  expect((await bench.refund({})).status).toBe(400)
  expect(at((await bench.api('GET', `/payments/${bench.id}/refunds`)).json, 'count')).toBe(2)
})

test('one idempotency key makes one refund; another body under it is refused', async () => {
  const bench = await paidBench()
  const first = await bench.refund({ amount: 100 }, 'excess-key-1')
  const again = await bench.refund({ amount: 100 }, 'excess-key-1')
  expect(again.json).toEqual(first.json)
  expect((await bench.refund({ amount: 200 }, 'excess-key-1')).status).toBe(400)
  expect((await bench.refund({ amount: 100 }, 'short')).status).toBe(400)
  expect(at(await bench.payment(), 'amount_refunded')).toBe(100)
})

test('a failed refund counts as not refunded and sends its event', async () => {
  const bench = await paidBench()
  const refund = textAt((await bench.refund({})).json, 'id')
  await bench.control('POST', `/refunds/${refund}/fail`)
  expect(await bench.payment()).toMatchObject({ status: 'captured', amount_refunded: 0 })
  expect(at((await bench.api('GET', `/refunds/${refund}`)).json, 'status')).toBe('failed')
  await bench.deliver()
  expect(bench.events()).toContain('refund.failed')
})

test('only captured payments can be refunded on request', async () => {
  const bench = createBench()
  const paid = await bench.pay(await bench.order(), { outcome: 'authorize_only' })
  const id = textAt(paid, 'razorpay_payment_id')
  expect((await bench.api('POST', `/payments/${id}/refund`, {})).status).toBe(400)
})

test('an operator refunds from the console', async () => {
  const bench = await paidBench()
  const { json } = await bench.control('POST', `/payments/${bench.id}/refund`, { amount: 5 })
  expect(at(json, 'amount')).toBe(5)
})

test('a dispute is opened, then won or lost, each with its event', async () => {
  const bench = await paidBench()
  const move = (phase: string) =>
    bench.control('POST', `/payments/${bench.id}/dispute`, { phase, amount: 1000 })
  expect((await move('created')).json).toMatchObject({ status: 'open', amount: 1000 })
  expect((await move('created')).status).toBe(400)
  expect((await move('lost')).json).toMatchObject({ status: 'lost', amount_deducted: 1000 })
  expect((await move('won')).json).toMatchObject({ status: 'won', amount_deducted: 0 })
  await bench.deliver()
  const events = ['payment.dispute.created', 'payment.dispute.lost', 'payment.dispute.won']
  expect(bench.events()).toEqual(expect.arrayContaining(events))
})
