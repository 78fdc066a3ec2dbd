import { expect, test } from 'vitest'
import { at, createBench, textAt } from '../bench.ts'

async function disputedBench() {
  const bench = createBench()
  const id = textAt(await bench.pay(await bench.order()), 'razorpay_payment_id')
  const move = async (event: string, more: Record<string, unknown> = {}) =>
    bench.control('POST', `/payments/${id}/dispute`, { event, ...more })
  const list = async (query = '') => (await bench.api('GET', `/disputes${query}`)).json
  const payment = async () => (await bench.api('GET', `/payments/${id}`)).json
  await bench.deliver()
  bench.received.length = 0
  return { ...bench, id, move, list, payment }
}

test('Razorpay refunds an accepted dispute, the merchant refunds a fraud', async () => {
  const bench = await disputedBench()
  await bench.move('created', { amount: 1000 })
  expect((await bench.move('accepted')).json).toMatchObject({
    status: 'lost',
    amount_deducted: 1000,
  })
  expect(at(await bench.payment(), 'amount_refunded')).toBe(1000)
  await bench.move('created', { amount: 500, phase: 'fraud' })
  await bench.move('accepted')
  expect(at(await bench.payment(), 'amount_refunded')).toBe(1000)
})
