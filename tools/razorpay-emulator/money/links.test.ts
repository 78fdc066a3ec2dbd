import { expect, test } from 'vitest'
import { at, createBench, textAt } from '../bench.ts'

const wanted = { amount: 219_900, currency: 'INR', reference_id: 'prc_2' }

test('a reference is used once, an expiry lies a quarter of an hour ahead, and no unknown field is taken', async () => {
  const bench = createBench()
  const make = (link: object) => bench.api('POST', '/payment_links', link)
  expect((await make(wanted)).status).toBe(200)
  expect(at((await make(wanted)).json, 'error.description')).toMatch(/already attempted/)
  expect((await make({ amount: 100, expire_by: 1_790_000_600 })).status).toBe(400)
  expect((await make({ amount: 100, currency: 'USD', upi_link: true })).status).toBe(400)
  expect((await make({ amount: 100, accept_partial: true })).status).toBe(400)
  const { json } = await make({ amount: 100, colour: 'red' })
  expect(at(json, 'error.reason')).toBe('extra_field_sent')
})

test('text of a merchant is escaped on the page', async () => {
  const bench = createBench()
  const body = { ...wanted, description: '<script>alert(1)</script>' }
  const { json } = await bench.api('POST', '/payment_links', body)
  const { pathname } = new URL(textAt(json, 'short_url'))
  const page = String((await bench.browser(pathname)).json)
  expect(page).toContain('&lt;script&gt;alert')
  expect(page).not.toContain('<script>alert')
})

async function linkBench(more: Record<string, unknown> = {}) {
  const bench = createBench()
  const { json } = await bench.api('POST', '/payment_links', { ...wanted, ...more })
  return { ...bench, id: textAt(json, 'id'), path: new URL(textAt(json, 'short_url')).pathname }
}

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
