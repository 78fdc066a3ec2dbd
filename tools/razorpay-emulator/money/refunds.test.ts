import { expect, test } from 'vitest'
import { at, createBench, textAt } from '../bench.ts'

async function paidBench() {
  const bench = createBench()
  const id = textAt(await bench.pay(await bench.order()), 'razorpay_payment_id')
  const refund = (body: Record<string, unknown>) =>
    bench.api('POST', `/payments/${id}/refund`, body)
  const payment = async () => (await bench.api('GET', `/payments/${id}`)).json
  return { ...bench, id, refund, payment }
}

test('partial refunds of at least INR 1.00 add up to the whole and no more', async () => {
  const bench = await paidBench()
  expect(at((await bench.refund({ amount: 99 })).json, 'error.description')).toMatch(/INR 1\.00/)
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
