import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { z } from 'zod'
import { exampleOf } from '../../edge-api/http/openapi/examples.ts'
import { buildRequest } from '../../src/api/build-request.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import {
  activateOrderPublicEndpoint,
  createTokenOrderEndpoint,
} from '../../src/contract/purchase.ts'
import { recordUsageSessionEndpoint } from '../../src/contract/usage.ts'
import { bad } from '../harness/ask.ts'
import { createMember, type Member } from '../harness/member.ts'
import { newVisitor, type Visitor } from '../harness/visitor.ts'

const visitor = () => newVisitor(inject('siteUrl'))

/** How the library that checks the input speaks by itself. */
const LIBRARY =
  /Invalid (input|option|string|number|discriminator)|Too (big|small)|expected|received/

const WRONG = [null, true, -7.5, '', 'wrong', 'x'.repeat(6_000), {}, []]

const Body = z.record(z.string(), z.unknown())
const withBody = ENDPOINTS.filter((endpoint) => exampleOf(endpoint).body !== undefined)

const state: { member?: Member } = {}
async function caller({ access }: Endpoint): Promise<Visitor> {
  if (access !== 'session') return visitor()
  state.member ??= await createMember()
  const { bearer } = state.member
  const { address, call } = visitor()
  return { address, call: (path, options = {}) => call(path, { bearer, ...options }) }
}

test.each(withBody)('$id never answers in the words of a library', async (endpoint) => {
  const { path } = buildRequest(endpoint, exampleOf(endpoint))
  const good = Body.parse(exampleOf(endpoint).body)
  // Another address each time, since calls are counted by it as well.
  const named = () => ('email' in good ? { ...good, email: `${randomUUID()}@example.test` } : good)
  for (const field of Object.keys(good)) {
    for (const value of [undefined, ...WRONG]) {
      const json = { ...named(), [field]: value }
      const answer = await (await caller(endpoint)).call(path, { method: endpoint.method, json })
      if (answer.status !== 400) continue
      for (const { msg } of bad(answer).errors ?? []) expect(msg, field).not.toMatch(LIBRARY)
    }
  }
})

test('an address with a query that is wrong is refused in our words', async () => {
  const wrong = [
    ['/api/subscription/plans?currency=EUR', 'currency', 'Please send one of: USD, INR'],
    ['/api/usage?days=91', 'days', 'Please send a number up to 90'],
    ['/api/usage/ledger?limit=many', 'limit', 'Please send a number'],
    ['/api/payment/purchases?limit=0', 'limit', 'Please send a number from 1'],
  ] as const
  const member = await createMember()
  for (const [address, path, msg] of wrong) {
    expect(bad(await member.call(address)).errors).toEqual([{ path, msg }])
  }
})

test('of one of two shapes the fields of the nearest are named', async () => {
  const call = (json: object) => visitor().call(activateOrderPublicEndpoint.path, { json })
  const msg = 'Please send this exactly as Razorpay gave it'
  expect(bad(await call({})).errors).toEqual(
    ['orderId', 'paymentId', 'signature'].map((path) => ({ path, msg })),
  )
  expect(bad(await call({ paymentLinkId: 'plink_EMUa1B2c3D4e5F' })).errors).toHaveLength(3)
})

test('what is wrong says what would be right', async () => {
  const member = await createMember()
  const currency = { json: { currency: 'EUR' } }
  expect(bad(await member.call(createTokenOrderEndpoint.path, currency)).errors).toEqual([
    { path: 'currency', msg: 'Please send one of: USD, INR' },
  ])
  const event = { json: { event: 'pause' } }
  expect(bad(await member.call(recordUsageSessionEndpoint.path, event)).errors).toEqual([
    { path: 'event', msg: 'Please send one of: start, end' },
  ])
})
