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

test('a refund may stay pending, and then be processed, fail, or come back from the bank', async () => {
  const bench = await paidBench()
  await bench.control('POST', '/settings', { refundsStayPending: true })
  const [first, second, third] = [
    (await bench.refund({ amount: 100 })).json,
    (await bench.refund({ amount: 200 })).json,
    (await bench.refund({ amount: 400 })).json,
  ]
  expect([first, second, third].map((one) => at(one, 'status'))).toEqual(Array(3).fill('pending'))
  expect(at(await bench.payment(), 'amount_refunded')).toBe(700)
  const move = (refund: unknown, status: string) =>
    bench.control('POST', `/refunds/${textAt(refund, 'id')}`, { status })
  await move(first, 'processed')
  await move(second, 'failed')
  await move(third, 'reversed')
  expect((await move(second, 'processed')).status).toBe(400)
  expect(at(await bench.payment(), 'amount_refunded')).toBe(100)
  const { json } = await bench.api('GET', `/payments/${bench.id}/refunds?count=2`)
  expect(json).toMatchObject({ count: 2, items: [{ status: 'reversed' }, { status: 'failed' }] })
  await bench.deliver()
  expect(bench.events().filter((event) => event.startsWith('refund.'))).toEqual([
    'refund.created',
    'refund.created',
    'refund.created',
    'refund.processed',
    'refund.failed',
    'refund.processed',
  ])
})

test('less than INR 1.00 cannot be refunded, and no unknown field is taken', async () => {
  const bench = await paidBench()
  const { status, json } = await bench.refund({ amount: 99 })
  expect([status, at(json, 'error.description')]).toEqual([
    400,
    'The amount must be at least INR 1.00',
  ])
  expect(at((await bench.refund({ amount: 100, colour: 'red' })).json, 'error.reason')).toBe(
    'extra_field_sent',
  )
})

test('refunds of all payments are listed newest first, ten unless asked otherwise', async () => {
  const bench = await paidBench()
  for (let index = 1; index <= 11; index += 1) {
    await bench.refund({ amount: 100 * index })
    await bench.emulator.advance(10)
  }
  const list = async (query: string) => (await bench.api('GET', `/refunds${query}`)).json
  const firstPage = await list('')
  expect([at(firstPage, 'count'), at(firstPage, 'items.0.amount')]).toEqual([10, 1100])
  expect(at(await list('?count=100'), 'count')).toBe(11)
  expect(await list('?count=1&skip=10')).toMatchObject({ count: 1, items: [{ amount: 100 }] })
  const from = at(await list('?count=1&skip=1'), 'items.0.created_at')
  expect(at(await list(`?from=${String(from)}`), 'count')).toBe(2)
})
