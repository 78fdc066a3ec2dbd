import { expect, test } from 'vitest'
import { startApiServer } from './support/api-server.ts'
import { aCheckout, aMe, aSession, aUser } from './support/samples.ts'
import { meEndpoint } from '../../src/contract/account.ts'
import { noticesEndpoint } from '../../src/contract/notice.ts'
import { createOrderEndpoint } from '../../src/contract/purchase.ts'
import {
  endSessionEndpoint,
  loginEndpoint,
  logoutEndpoint,
  sessionsEndpoint,
} from '../../src/contract/session.ts'
import { usageEndpoint } from '../../src/contract/usage.ts'
import { createCaller } from '../../src/api/call-endpoint.ts'

async function start(timeoutMs = 60_000) {
  const server = await startApiServer()
  const call = createCaller({
    fetch: (path, init) => fetch(server.url + path, init),
    timeoutMs,
    wait: () => Promise.resolve(),
  })
  return { server, call }
}

test('returns the answer when it matches the contract', async () => {
  const { server, call } = await start()
  server.answer(meEndpoint, aMe())
  expect(await call(meEndpoint, { token: 't' })).toEqual({
    ok: true,
    data: { success: true, ...aMe() },
  })
  expect(server.requests[0]?.headers.authorization).toBe('Bearer t')
})

const notice = {
  id: 'evt_1',
  kind: 'signed_out',
  text: 'Signed out.',
  device: null,
  isUnread: false,
  createdAt: '2026-11-22T00:00:00.000Z',
}

const listOf = (...notices: unknown[]) => JSON.stringify({ success: true, notices, unread: 1 })

test('leaves out an item with a value that is newer than the page, and keeps the list', async () => {
  const { server, call } = await start()
  const newer = { ...notice, id: 'evt_2', kind: 'moon_landed' }
  server.answerRaw(noticesEndpoint, 200, listOf(newer, notice))
  expect(await call(noticesEndpoint, { token: 't' })).toEqual({
    ok: true,
    data: { success: true, notices: [notice], unread: 1 },
  })
})

test('reads an answer with a new value, a new field and a new way to sign in, and never invents a currency', async () => {
  const { server, call } = await start()
  const user = aUser()
  const newer = {
    ...user,
    subscription: { ...user.subscription, status: 'paused', pausedAt: 'now' },
    preferences: { ...user.preferences, theme: 'sepia', currency: 'EUR' },
  }
  server.answerRaw(
    meEndpoint,
    200,
    JSON.stringify({ success: true, ...aMe(), user: newer, more: 1 }),
  )
  const neutral = {
    ...user,
    subscription: { ...user.subscription, status: 'inactive' },
    preferences: { ...user.preferences, theme: 'system', currency: 'USD' },
  }
  expect(await call(meEndpoint, {})).toEqual({
    ok: true,
    data: { success: true, ...aMe(), user: neutral },
  })
  const session = { ...aSession(), kind: 'watch' }
  server.answerRaw(sessionsEndpoint, 200, JSON.stringify({ success: true, sessions: [session] }))
  expect(await call(sessionsEndpoint, {})).toMatchObject({
    data: { sessions: [{ ...session, kind: 'browser' }] },
  })
  const secondStep = { ticket: 't', methods: ['voice', 'totp'], expiresAt: session.expiresAt }
  const refusal = { success: false, code: 'FACTOR_REQUIRED', message: 'More', requestId: 'r' }
  server.answerRaw(loginEndpoint, 401, JSON.stringify({ ...refusal, secondStep }))
  const body = { email: 'a@b.test', password: 'secret' }
  expect(await call(loginEndpoint, { body })).toMatchObject({
    code: 'FACTOR_REQUIRED',
    secondStep: { methods: ['totp'] },
  })
  const order = { ...aCheckout(), order: { ...aCheckout().order, currency: 'EUR' } }
  server.answerRaw(createOrderEndpoint, 200, JSON.stringify({ success: true, ...order }))
  const ordered = await call(createOrderEndpoint, { body: { planType: 'pro' } })
  expect(ordered).toMatchObject({ kind: 'unavailable' })
})

test('refuses an answer in which an item is malformed', async () => {
  const { server, call } = await start()
  const malformed = { ...notice, text: 7 }
  server.answerRaw(noticesEndpoint, 200, listOf(malformed, notice))
  expect(await call(noticesEndpoint, { token: 't' })).toMatchObject({ kind: 'unavailable' })
})

test('escapes path parameters', async () => {
  const { server, call } = await start()
  await call(endSessionEndpoint, { params: { id: '../../payment/purchases?x=1#' } })
  expect(server.requests[0]?.path).toBe(
    '/api/auth/sessions/..%2F..%2Fpayment%2Fpurchases%3Fx%3D1%23',
  )
})

test('sends query, body and idempotency key only when the caller passes them', async () => {
  const { server, call } = await start()
  server.answer(createOrderEndpoint, aCheckout())
  await call(usageEndpoint, { query: { days: 7 } })
  await call(createOrderEndpoint, { body: { planType: 'pro' }, idempotencyKey: 'k1' })
  const [usage, order] = server.requests
  expect(usage).toMatchObject({ path: '/api/usage?days=7', body: undefined })
  expect(usage?.headers.authorization).toBeUndefined()
  expect(order).toMatchObject({ body: { planType: 'pro' }, headers: { 'idempotency-key': 'k1' } })
})

test('returns code, message and field errors of a refusal', async () => {
  const { server, call } = await start()
  const errors = [{ path: 'email', msg: 'Email is required' }]
  server.refuse(loginEndpoint, 'VALIDATION_FAILED', 'Please check.', errors)
  expect(await call(loginEndpoint, { body: { email: '', password: '' } })).toEqual({
    ok: false,
    kind: 'refused',
    code: 'VALIDATION_FAILED',
    message: 'Please check.',
    errors,
    status: 400,
  })
})

test('distinguishes wrong credentials from an ended session', async () => {
  const { server, call } = await start()
  server.refuse(loginEndpoint, 'INVALID_CREDENTIALS', 'Invalid email or password')
  server.refuse(meEndpoint, 'UNAUTHENTICATED', 'Please sign in to continue.')
  const body = { email: 'a@b.test', password: 'secret' }
  expect(await call(loginEndpoint, { body })).toMatchObject({ kind: 'refused', status: 401 })
  expect(await call(meEndpoint, {})).toMatchObject({ kind: 'unauthenticated', status: 401 })
})

test.each([
  { what: 'a page of a proxy', status: 502, text: '<h1>Bad gateway</h1>' },
  { what: 'no body', status: 500, text: '' },
  { what: 'a success without its user', status: 200, text: '{"success":true}' },
  { what: 'a page with status 200', status: 200, text: '<!doctype html>' },
  { what: 'null', status: 200, text: 'null' },
])('returns "unavailable" for $what', async ({ status, text }) => {
  const { server, call } = await start()
  server.answerRaw(meEndpoint, status, text)
  expect(await call(meEndpoint, {})).toMatchObject({ kind: 'unavailable', message: '', status })
})

test('keeps the message of a server error', async () => {
  const { server, call } = await start()
  server.refuse(meEndpoint, 'DATABASE_UNAVAILABLE', 'Please try again in a minute.')
  expect(await call(meEndpoint, {})).toMatchObject({
    kind: 'unavailable',
    message: 'Please try again in a minute.',
  })
})

test('returns "network" when the connection breaks, nothing listens or the server is too slow', async () => {
  const { server, call } = await start()
  server.cutOff(meEndpoint)
  expect(await call(meEndpoint, {})).toMatchObject({ kind: 'network', status: 0 })

  const gone = createCaller({
    fetch: (path) => fetch(`http://127.0.0.1:1${path}`),
    timeoutMs: 2_000,
    wait: () => Promise.resolve(),
  })
  expect(await gone(meEndpoint, {})).toMatchObject({ kind: 'network' })

  const slow = createCaller({
    fetch: (_path, { signal }) =>
      new Promise((_, reject) => signal?.addEventListener('abort', reject)),
    timeoutMs: 20,
    wait: () => Promise.resolve(),
  })
  expect(await slow(meEndpoint, {})).toMatchObject({ kind: 'network' })
})

test('sets keepalive only for calls that must outlive the page', async () => {
  const kept: (boolean | undefined)[] = []
  const call = createCaller({
    fetch: (_path, { keepalive }) => {
      kept.push(keepalive)
      return Promise.resolve(Response.json({ success: true }))
    },
    timeoutMs: 2_000,
    wait: () => Promise.resolve(),
  })
  await call(logoutEndpoint, { keepalive: true })
  await call(logoutEndpoint, {})
  expect(kept).toEqual([true, undefined])
})

test.each([
  { what: 'waits as long as a busy server asks and calls once more', after: '5', waits: [5_000] },
  { what: 'does not wait for a minute', after: '60', waits: [] },
  { what: 'does not wait for nothing', after: '', waits: [] },
])('$what', async ({ after, waits }) => {
  const waited: number[] = []
  const refusal = { success: false, code: 'OVERLOADED', message: 'Busy.', requestId: 'r' }
  const call = createCaller({
    fetch: () =>
      Promise.resolve(Response.json(refusal, { status: 503, headers: { 'retry-after': after } })),
    timeoutMs: 2_000,
    wait: (ms) => Promise.resolve(void waited.push(ms)),
  })
  expect(await call(meEndpoint, {})).toMatchObject({ kind: 'unavailable', message: 'Busy.' })
  expect(waited).toEqual(waits)
})
