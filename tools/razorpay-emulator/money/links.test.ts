import { expect, test } from 'vitest'
import { at, createBench, textAt } from '../bench.ts'

const wanted = { amount: 219_900, currency: 'INR', reference_id: 'prc_2' }

test('a reference is used once, and an expiry lies a quarter of an hour ahead', async () => {
  const bench = createBench()
  const make = (link: object) => bench.api('POST', '/payment_links', link)
  expect((await make(wanted)).status).toBe(200)
  expect(at((await make(wanted)).json, 'error.description')).toMatch(/already attempted/)
  expect((await make({ amount: 100, expire_by: 1_790_000_600 })).status).toBe(400)
  expect((await make({ amount: 100, currency: 'USD', upi_link: true })).status).toBe(400)
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
