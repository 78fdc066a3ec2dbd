import { expect, test } from 'vitest'
import { at, createBench, textAt } from '../bench.ts'
import { allowsCollect, visibleMethods } from '../pages/methods.js'
import { defaults } from '../safety.ts'

async function windowOf(order: Record<string, unknown> = {}) {
  const bench = createBench()
  const claim = { key: defaults.keyId, order_id: await bench.order(order) }
  const ask = async (path: string, more: Record<string, unknown> = {}) =>
    (await bench.browser(`/checkout/api/${path}`, { ...claim, ...more })).json
  const pay = (instrument: Record<string, unknown>, more: Record<string, unknown> = {}) =>
    ask('pay', { instrument, ...more })
  return { ...bench, claim, ask, pay }
}

test('the window shows the order, not what the page claims', async () => {
  const view = await windowOf({ amount: 3500, currency: 'USD' })
  const opened = await view.ask('open', { amount: 1, currency: 'INR' })
  expect(at(opened, 'order')).toMatchObject({ amount: 3500, currency: 'USD' })
  expect(at(opened, 'methods')).toEqual(['card'])
})

test('an order is unknown under another key', async () => {
  const view = await windowOf()
  const answer = await view.ask('open', { key: 'rzp_test_EMUother' })
  expect(at(answer, 'error.description')).toBe('The id provided does not exist')
})

test('a claimed amount that differs fails the attempt', async () => {
  const view = await windowOf()
  const answer = await view.pay({ method: 'card' }, { amount: 100 })
  expect(at(answer, 'steps.0.error.reason')).toBe('order_amount_mismatch')
  expect(at((await view.api('GET', `/orders/${view.claim.order_id}`)).json, 'attempts')).toBe(0)
})

test('a card asks for a password of at least four digits', async () => {
  const view = await windowOf()
  const begun = await view.pay({ method: 'card', number: '5555 5555 5555 4444' })
  expect(at(begun, 'next')).toBe('otp')
  const short = await view.ask('otp', { payment_id: at(begun, 'payment_id'), otp: '123' })
  expect(at(short, 'steps.0.error.reason')).toBe('authentication_failed')
  const again = await view.pay({ method: 'card', number: '4100 2800 0000 1007' })
  const good = await view.ask('otp', { payment_id: at(again, 'payment_id'), otp: '1234' })
  expect(at(good, 'steps.0.type')).toBe('success')
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

test.each(['08/26', '12/20', '00/35', 'soon', ''])(
  'a card that expires "%s" is refused',
  async (expiry) => {
    const view = await windowOf()
    const answer = await view.pay({ method: 'card', expiry })
    expect(at(answer, 'steps.0.error.reason')).toBe('card_expired')
  },
)

test('the two test UPI ids succeed and fail, others do not exist', async () => {
  const view = await windowOf()
  const upi = (vpa: string) => view.pay({ method: 'upi', vpa, flow: 'collect' })
  expect(at(await upi('failure@razorpay'), 'steps.0.error.reason')).toBe('payment_failed')
  expect(at(await upi('who@knows'), 'steps.0.error.reason')).toBe('invalid_vpa')
  expect(at(await upi('success@razorpay'), 'steps.0.type')).toBe('success')
})

test('a bank answers on a page of its own, and its first answer counts', async () => {
  const view = await windowOf()
  const begun = await view.pay({ method: 'netbanking', bank: 'HDFC' })
  const id = textAt(begun, 'payment_id')
  expect(at((await view.browser(`/checkout/api/payment/${id}`)).json, 'steps')).toBeNull()
  await view.browser(`/bank/${id}/success`, {})
  await view.browser(`/bank/${id}/failure`, {})
  const { json } = await view.browser(`/checkout/api/payment/${id}`)
  expect(json).toMatchObject({ status: 'captured', steps: [{ type: 'success' }] })
})

test('a page of another site cannot pay with a plain form', async () => {
  const view = await windowOf()
  const request = new Request('http://localhost:8790/checkout/api/preset', {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: JSON.stringify({ ...view.claim, name: 'happy' }),
  })
  expect((await view.emulator.fetch(request)).status).toBe(400)
})

test('the frame may be shown by pages of this machine alone', async () => {
  const { headers } = await createBench().browser('/checkout/frame')
  const policy = headers.get('content-security-policy')
  expect(policy).toContain('frame-ancestors http://localhost:* http://127.0.0.1:*')
})

test('methods are hidden and listed as the page configures them', () => {
  const all = ['card', 'upi', 'netbanking', 'wallet']
  expect(visibleMethods(all, { hide: [{ method: 'upi' }] })).not.toContain('upi')
  const collect = { hide: [{ method: 'upi', flows: ['collect'] }] }
  expect(visibleMethods(all, collect)).toContain('upi')
  expect(allowsCollect(collect)).toBe(false)
  const only = {
    blocks: { cards: { name: 'Cards', instruments: [{ method: 'card' }] } },
    sequence: ['block.cards'],
    preferences: { show_default_blocks: false },
  }
  expect(visibleMethods(all, only)).toEqual(['card'])
})
