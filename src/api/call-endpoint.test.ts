import { expect, test } from 'vitest'
import { startApiServer } from '../../tests/stores/api-server.ts'
import { aCheckout, aMe } from '../../tests/stores/samples.ts'
import { meEndpoint } from '../contract/account.ts'
import { createOrderEndpoint } from '../contract/purchase.ts'
import { loginEndpoint } from '../contract/session.ts'
import { createCaller } from './call-endpoint.ts'

type Deps = Parameters<typeof createCaller>[0]

/** A caller that waits for nothing, with this network. */
const callerWith = (network: Pick<Deps, 'fetch'> & Partial<Deps>) =>
  createCaller({
    timeoutMs: 2_000,
    endAfter: (ms) => AbortSignal.timeout(ms),
    wait: () => Promise.resolve(),
    ...network,
  })

async function start() {
  const server = await startApiServer()
  const call = callerWith({
    fetch: (path, init) => fetch(server.url + path, init),
    timeoutMs: 60_000,
  })
  return { server, call }
}

test('returns the answer of the server', async () => {
  const { server, call } = await start()
  server.answer(meEndpoint, aMe())
  expect(await call('GET /api/auth/me', { token: 't' })).toEqual({
    ok: true,
    data: { success: true, ...aMe() },
  })
  expect(server.requests[0]?.headers.authorization).toBe('Bearer t')
})

test('escapes path parameters', async () => {
  const { server, call } = await start()
  await call('DELETE /api/auth/sessions/{id}', { params: { id: '../../payment/purchases?x=1#' } })
  expect(server.requests[0]?.path).toBe(
    '/api/auth/sessions/..%2F..%2Fpayment%2Fpurchases%3Fx%3D1%23',
  )
})

test('sends query, body and idempotency key only when the caller passes them', async () => {
  const { server, call } = await start()
  server.answer(createOrderEndpoint, aCheckout())
  await call('GET /api/usage', { query: { days: 7 } })
  await call('POST /api/payment/create-order', { body: { planType: 'pro' }, idempotencyKey: 'k1' })
  const [usage, order] = server.requests
  expect(usage).toMatchObject({ path: '/api/usage?days=7', body: undefined })
  expect(usage?.headers.authorization).toBeUndefined()
  expect(order).toMatchObject({ body: { planType: 'pro' }, headers: { 'idempotency-key': 'k1' } })
})

test('returns code, message and field errors of a rejection', async () => {
  const { server, call } = await start()
  const errors = [{ path: 'email', msg: 'Email is required' }]
  server.refuse(loginEndpoint, 'VALIDATION_FAILED', 'Please check.', errors)
  expect(await call('POST /api/auth/login', { body: { email: '', password: '' } })).toEqual({
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
  expect(await call('POST /api/auth/login', { body })).toMatchObject({
    kind: 'refused',
    status: 401,
  })
  expect(await call('GET /api/auth/me', {})).toMatchObject({ kind: 'unauthenticated', status: 401 })
})

test.each([
  { what: 'a page of a proxy', status: 502, text: '<h1>Bad gateway</h1>' },
  { what: 'no body', status: 500, text: '' },
  { what: 'a page with status 200', status: 200, text: '<!doctype html>' },
  { what: 'null', status: 200, text: 'null' },
])('returns "unavailable" for $what', async ({ status, text }) => {
  const { server, call } = await start()
  server.answerRaw(meEndpoint, status, text)
  expect(await call('GET /api/auth/me', {})).toMatchObject({
    kind: 'unavailable',
    message: '',
    status,
  })
})

test('keeps the message of a server error', async () => {
  const { server, call } = await start()
  server.refuse(meEndpoint, 'DATABASE_UNAVAILABLE', 'Please try again in a minute.')
  expect(await call('GET /api/auth/me', {})).toMatchObject({
    kind: 'unavailable',
    message: 'Please try again in a minute.',
  })
})

test('returns "network" when the connection breaks, nothing listens or the server is too slow', async () => {
  const { server, call } = await start()
  server.cutOff(meEndpoint)
  expect(await call('GET /api/auth/me', {})).toMatchObject({ kind: 'network', status: 0 })

  const gone = callerWith({ fetch: (path) => fetch(`http://127.0.0.1:1${path}`) })
  expect(await gone('GET /api/auth/me', {})).toMatchObject({ kind: 'network' })

  const slow = callerWith({
    fetch: (_path, { signal }) =>
      new Promise((_, reject) => signal?.addEventListener('abort', reject)),
    timeoutMs: 20,
  })
  expect(await slow('GET /api/auth/me', {})).toMatchObject({ kind: 'network' })
})

test('sets keepalive only for calls that must outlive the page', async () => {
  const kept: (boolean | undefined)[] = []
  const call = callerWith({
    fetch: (_path, { keepalive }) => {
      kept.push(keepalive)
      return Promise.resolve(Response.json({ success: true }))
    },
  })
  await call('POST /api/auth/logout', { keepalive: true })
  await call('POST /api/auth/logout', {})
  expect(kept).toEqual([true, undefined])
})

test.each([
  { what: 'waits as long as a busy server asks and calls once more', after: '5', waits: [5_000] },
  { what: 'does not wait for a minute', after: '60', waits: [] },
  { what: 'does not wait for nothing', after: '', waits: [] },
])('$what', async ({ after, waits }) => {
  const waited: number[] = []
  const rejection = { success: false, code: 'OVERLOADED', message: 'Busy.', requestId: 'r' }
  const call = callerWith({
    fetch: () =>
      Promise.resolve(Response.json(rejection, { status: 503, headers: { 'retry-after': after } })),
    wait: (ms) => Promise.resolve(void waited.push(ms)),
  })
  expect(await call('GET /api/auth/me', {})).toMatchObject({
    kind: 'unavailable',
    message: 'Busy.',
  })
  expect(waited).toEqual(waits)
})
