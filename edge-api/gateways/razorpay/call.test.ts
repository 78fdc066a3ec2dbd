import { expect, test } from 'vitest'
import { type Answer, answeringRazorpay } from '#harness/fixture/answering-razorpay.ts'
import {
  GatewayRejected,
  GatewayUnauthorized,
  GatewayUnavailable,
} from '../../domain/ports/payments.ts'

const ORDER = 'order_EMUa1B2c3D4e5F'
const NOW = 1_790_000_000_000

const rejection = (status: number, description = '', headers = {}): Answer => ({
  status,
  headers,
  body: { error: { code: 'BAD_REQUEST_ERROR', description } },
})

/** Reads the payments of an order from a Razorpay that always answers this. */
async function read(answer: Answer | null, options = {}) {
  const opened = answeringRazorpay(() => answer, { now: NOW, ...options })
  const error: unknown = await opened.gateway
    .paymentsOfOrder(ORDER)
    .catch((reason: unknown) => reason)
  return { ...opened, error }
}

const REJECTED = [GatewayRejected, 'answered', 1] as const
const NO_KEYS = [GatewayUnauthorized, 'unauthorized', 1] as const
const LATER = [GatewayUnavailable, 'unavailable', 3] as const
const UNKNOWN = [GatewayUnavailable, 'unavailable', 1] as const

test.each([
  ['a broken connection', null, ...LATER],
  ['200 with an empty object', { body: {} }, ...LATER],
  ['200 with null', { body: null }, ...LATER],
  ['200 with HTML', { body: '<html>' }, ...LATER],
  ['302', { status: 302, body: '' }, ...UNKNOWN],
  ['400', rejection(400), ...REJECTED],
  ['400 that means the keys', rejection(400, 'Authentication failed'), ...NO_KEYS],
  ['401', rejection(401), ...NO_KEYS],
  ['402', rejection(402), ...REJECTED],
  ['408', rejection(408), ...UNKNOWN],
  ['409', rejection(409), ...LATER],
  ['410', rejection(410), ...REJECTED],
  ['429', rejection(429), ...LATER],
  ['430', rejection(430), ...REJECTED],
  ['499', rejection(499), ...REJECTED],
  ['500', rejection(500), ...LATER],
  ['501', rejection(501), ...LATER],
] as const)(
  '%s: which error it is and how often a read is tried',
  async (_what, answer, kind, outcome, tries) => {
    const { gateway, asked, error } = await read(answer)
    expect(Object(error).constructor).toBe(kind)
    expect(gateway.lastAnswer()).toEqual({ outcome, at: NOW })
    expect(asked).toHaveLength(tries)
  },
)

test.each([
  ['no Retry-After', {}, [225, 900]],
  ['a shorter one', { 'retry-after': '0' }, [225, 900]],
  ['one of five seconds', { 'retry-after': '5' }, [5_000, 5_000]],
  ['one of six', { 'retry-after': '6' }, []],
  ['a date', { 'retry-after': 'Wed, 18 Nov 2026 12:00:00 GMT' }, [225, 900]],
])('pauses grow by chance and by %s', async (_what, headers, wanted) => {
  const { pauses } = await read(rejection(429, '', headers), { jitter: 0.5 })
  expect(pauses).toEqual(wanted)
})

test('a rejection has the reason that Razorpay gives, or its code', async () => {
  const named = { code: 'BAD_REQUEST_ERROR', reason: 'payment_timed_out', description: 'Too late.' }
  const { error } = await read({ status: 400, body: { error: named } })
  expect(error).toMatchObject({
    reason: 'payment_timed_out',
    message: '400 BAD_REQUEST_ERROR Too late.',
  })
  expect((await read(rejection(400))).error).toMatchObject({ reason: 'BAD_REQUEST_ERROR' })
})

test('keys that Razorpay does not accept raise one alert each time this begins, and the last answer is known', async () => {
  const answers = [401, 401, 200, 500, 401]
  const { gateway, alerts } = answeringRazorpay(() => {
    const status = answers[0] ?? 200
    return status === 200 ? { body: { items: [] } } : rejection(status)
  })
  expect(gateway.lastAnswer()).toBeNull()
  const seen: unknown[] = []
  while (answers.length > 0) {
    await gateway.paymentsOfOrder(ORDER).catch(() => null)
    seen.push([answers.shift(), gateway.lastAnswer()?.outcome, alerts.length])
  }
  expect(seen).toEqual([
    [401, 'unauthorized', 1],
    [401, 'unauthorized', 1],
    [200, 'answered', 1],
    [500, 'unavailable', 1],
    [401, 'unauthorized', 2],
  ])
  expect(alerts[0]).toEqual({
    event: 'the payment provider does not accept our keys',
    fields: { mode: 'emulator' },
  })
})
