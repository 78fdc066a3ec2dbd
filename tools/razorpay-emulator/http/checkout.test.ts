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

const errorCards = [
  ['4100 2800 0009 0000', 'payment_timed_out'],
  ['4100 2800 0008 0001', 'insufficient_fund'],
  ['4100 2800 0007 0002', 'payment_cancelled'],
  ['4100 2800 0006 0003', 'card_declined'],
  ['4100 2800 0003 0006', 'card_disabled_for_online_payments'],
  ['4100 2800 0001 0008', 'card_number_invalid'],
  ['4100 2800 0002 0007', 'gateway_technical_error'],
  ['4111 1111 1111 1112', 'card_number_invalid'],
] as const

test.each(errorCards)('card %s fails with %s', async (number, reason) => {
  const view = await windowOf()
  const answer = await view.pay({ method: 'card', number })
  expect(at(answer, 'steps.0.error.reason')).toBe(reason)
  expect(JSON.stringify(view.emulator.state())).not.toContain(number.replaceAll(' ', ''))
})

test.each(['08/26', '1220', '00/35', '13/35', 'soon', ''])(
  'a card that expires "%s" is refused',
  async (expiry) => {
    const view = await windowOf()
    const answer = await view.pay({ method: 'card', expiry })
    expect(at(answer, 'steps.0.error.reason')).toBe('card_expired')
  },
)

test.each(['1230', '12/2099', '1 / 31'])('a card that expires "%s" is valid', async (expiry) => {
  const view = await windowOf()
  const answer = await view.pay({ method: 'card', expiry })
  expect(at(answer, 'steps.0.error')).toBeUndefined()
})

test('the two test UPI ids succeed and fail, others do not exist', async () => {
  const view = await windowOf()
  const upi = (vpa: string) => view.pay({ method: 'upi', vpa, flow: 'collect' })
  expect(at(await upi('failure@razorpay'), 'steps.0.error.reason')).toBe('payment_failed')
  expect(at(await upi('who@knows'), 'steps.0.error.reason')).toBe('invalid_vpa')
  expect(at(await upi('success@razorpay'), 'steps.0.type')).toBe('success')
})
