import { expect, test } from 'vitest'
import { at, createBench, textAt } from '../bench.ts'
import { defaults } from '../safety.ts'
import { signLink } from '../core/signature.ts'

const callback = 'http://localhost:8787/api/callback?from=link'

async function linkBench(more: Record<string, unknown> = {}) {
  const bench = createBench()
  const wanted = { amount: 219_900, currency: 'INR', reference_id: 'prc_2' }
  const { json } = await bench.api('POST', '/payment_links', {
    ...wanted,
    callback_url: callback,
    callback_method: 'get',
    ...more,
  })
  const id = textAt(json, 'id')
  const path = new URL(textAt(json, 'short_url')).pathname
  const orderId = async () => {
    const page = await bench.browser(path)
    return /order_EMU\w{11}/.exec(String(page.json))?.[0] ?? ''
  }
  return { ...bench, link: json, id, path, orderId }
}

test('a new link looks as Razorpay shows it', async () => {
  const { link } = await linkBench({ notes: {} })
  expect(link).toMatchObject({ status: 'created', amount_paid: 0, payments: null, notes: null })
  expect(at(link, 'id')).toMatch(/^plink_EMU\w{11}$/)
})

test('paying a link marks it paid and redirects with five signed parameters', async () => {
  const bench = await linkBench()
  const order = await bench.orderId()
  const paid = await bench.pay(order, { method: 'upi' })
  const paymentId = textAt(paid, 'razorpay_payment_id')
  const done = await bench.browser(`${bench.path}/done?payment_id=${paymentId}`)
  expect(done.status).toBe(302)
  const { searchParams } = new URL(done.headers.get('location') ?? '')
  expect(searchParams.get('from')).toBe('link')
  expect(searchParams.get('razorpay_payment_link_status')).toBe('paid')
  const signed = { id: bench.id, referenceId: 'prc_2', status: 'paid', paymentId }
  expect(searchParams.get('razorpay_signature')).toBe(signLink(signed, defaults.keySecret))
  const { json } = await bench.api('GET', `/payment_links/${bench.id}`)
  expect(json).toMatchObject({ status: 'paid', amount_paid: 219_900 })
  expect(at(json, 'payments.0.payment_id')).toBe(paymentId)
})

test('the event of a paid link has sorted keys and the time of the link', async () => {
  const bench = await linkBench()
  await bench.emulator.advance(3600)
  const order = await bench.orderId()
  await bench.pay(order)
  await bench.deliver()
  const sent = bench.received.find((one) => one.event === 'payment_link.paid')
  const body: unknown = JSON.parse(sent?.body ?? '')
  expect(at(body, 'contains')).toEqual(['payment_link', 'order', 'payment'])
  expect(at(body, 'created_at')).toBe(at(bench.link, 'created_at'))
  expect(at(body, 'payload.payment_link.entity.order_id')).toBe(order)
  expect(sent?.body.startsWith('{"account_id"')).toBe(true)
})

test('a reference is used once, and an expiry lies a quarter of an hour ahead', async () => {
  const bench = await linkBench()
  const make = (more: Record<string, unknown>) =>
    bench.api('POST', '/payment_links', { amount: 100, ...more })
  const again = await make({ reference_id: 'prc_2' })
  expect(at(again.json, 'error.description')).toMatch(/already attempted/)
  expect((await make({ expire_by: 1_790_000_600 })).status).toBe(400)
  expect((await make({ currency: 'USD', upi_link: true })).status).toBe(400)
})

test('a cancelled link cannot be paid, a paid one not cancelled', async () => {
  const bench = await linkBench()
  const cancel = () => bench.api('POST', `/payment_links/${bench.id}/cancel`)
  expect(at((await cancel()).json, 'status')).toBe('cancelled')
  expect((await cancel()).status).toBe(400)
  expect((await bench.browser(bench.path)).status).toBe(410)
  await bench.deliver()
  expect(bench.events()).toEqual(['payment_link.cancelled'])
})

test('a link expires at its time', async () => {
  const bench = await linkBench({ expire_by: 1_790_001_000 })
  await bench.emulator.advance(1001)
  expect(at((await bench.api('GET', `/payment_links/${bench.id}`)).json, 'status')).toBe('expired')
  await bench.deliver()
  expect(bench.events()).toEqual(['payment_link.expired'])
})

test('text of a merchant is escaped on the page', async () => {
  const bench = await linkBench({ description: '<script>alert(1)</script>' })
  expect(String((await bench.browser(bench.path)).json)).not.toContain('<script>alert')
})
