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

test('a dispute is opened, answered, sent back for more and lost, each with its event', async () => {
  const bench = await disputedBench()
  const respond_by = 1_790_000_000
  const opened = await bench.move('created', { amount: 1000, phase: 'retrieval', respond_by })
  expect(opened.json).toMatchObject({
    status: 'open',
    phase: 'retrieval',
    amount: 1000,
    respond_by,
  })
  expect((await bench.move('created')).status).toBe(400)
  expect((await bench.move('under_review')).json).toMatchObject({ status: 'under_review' })
  expect((await bench.move('action_required')).json).toMatchObject({ status: 'open' })
  const lost = await bench.move('lost', { phase: 'chargeback' })
  expect(lost.json).toMatchObject({ status: 'lost', phase: 'chargeback', amount_deducted: 1000 })
  await bench.deliver()
  expect(bench.events()).toEqual(
    ['created', 'under_review', 'action_required', 'lost'].map(
      (event) => `payment.dispute.${event}`,
    ),
  )
  const id = textAt(opened.json, 'id')
  expect((await bench.api('GET', `/disputes/${id}`)).json).toEqual(lost.json)
  expect((await bench.api('GET', '/disputes/disp_EMUnone0000000')).status).toBe(400)
})

test('of an accepted dispute Razorpay makes the refund, of a fraud the merchant does', async () => {
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

test('disputes are listed newest first, in pages', async () => {
  const bench = await disputedBench()
  await bench.move('created', { amount: 100 })
  await bench.move('won')
  await bench.move('created', { amount: 200 })
  expect(await bench.list()).toMatchObject({
    entity: 'collection',
    count: 2,
    items: [
      { amount: 200, status: 'open' },
      { amount: 100, status: 'won' },
    ],
  })
  expect(await bench.list('?count=1&skip=1')).toMatchObject({ items: [{ amount: 100 }] })
})
