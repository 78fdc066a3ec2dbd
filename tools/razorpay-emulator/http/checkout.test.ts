import { expect, test } from 'vitest'
import { at, createBench } from '../bench.ts'
import { defaults } from '../safety.ts'

test('a page of another site cannot pay with a plain form', async () => {
  const bench = createBench()
  const order_id = await bench.order()
  const request = new Request('http://localhost:8790/checkout/api/preset', {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: JSON.stringify({ key: defaults.keyId, order_id, name: 'happy' }),
  })
  expect((await bench.emulator.fetch(request)).status).toBe(400)
})

test('the frame may be shown by pages of this machine alone', async () => {
  const { headers } = await createBench().browser('/checkout/frame')
  const policy = headers.get('content-security-policy')
  expect(policy).toContain('frame-ancestors http://localhost:* http://127.0.0.1:*')
})

async function windowOf(order: Record<string, unknown> = {}) {
  const bench = createBench()
  const claim = { key: defaults.keyId, order_id: await bench.order(order) }
  const ask = async (path: string, more: Record<string, unknown> = {}) =>
    (await bench.browser(`/checkout/api/${path}`, { ...claim, ...more })).json
  const pay = (instrument: Record<string, unknown>, more: Record<string, unknown> = {}) =>
    ask('pay', { instrument, ...more })
  return { ...bench, claim, ask, pay }
}

test('a claimed amount that differs fails the attempt', async () => {
  const view = await windowOf()
  const answer = await view.pay({ method: 'card' }, { amount: 100 })
  expect(at(answer, 'steps.0.error.reason')).toBe('order_amount_mismatch')
  expect(at((await view.api('GET', `/orders/${view.claim.order_id}`)).json, 'attempts')).toBe(0)
})

test('error cards, wrong numbers and expired cards fail with their reason, and no number is kept', async () => {
  const view = await windowOf()
  const reasonFor = async (instrument: Record<string, unknown>) =>
    at(await view.pay(instrument), 'steps.0.error.reason')
  const method = 'card'
  expect(await reasonFor({ method, number: '4100 2800 0006 0003' })).toBe('card_declined')
  expect(await reasonFor({ method, number: '4111 1111 1111 1112' })).toBe('card_number_invalid')
  expect(await reasonFor({ method, expiry: '08/26' })).toBe('card_expired')
  expect(JSON.stringify(view.emulator.state())).not.toContain('4100280000060003')
})
