import { expect, test } from 'vitest'
import { authorizeDeviceEndpoint } from '../src/contract/device.ts'
import { ENDPOINTS } from '../src/contract/endpoints.ts'
import { cheapHash, createAccount } from '#harness/fixture/account.ts'
import { createFixture } from '#harness/fixture/fixture.ts'
import { createApp } from './app.ts'
import { rememberDevice } from './domain/account/device-cookie.ts'
import type { Claims, Context } from './domain/context.ts'
import { signBearer } from './domain/crypto/sign.ts'
import type { AppEnv, RateLimiter } from './http/env.ts'
import { honoPath } from './http/mount-endpoint.ts'
import { CSP_REPORT_PATH } from './routes/csp-report.ts'
import { newBrowser } from '#harness/fixture/sign-in.ts'
import { PASSWORD } from '#harness/user.ts'

const LOGIN = { email: 'nobody@example.test', password: 'Quiet-Otter-42' }

const REGISTRATION = { ...LOGIN, username: 'nobody', confirmPassword: LOGIN.password }

const post = (body: unknown) => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

function appWith({ allow = () => Promise.resolve(true) }: { allow?: RateLimiter } = {}) {
  const fixture = createFixture()
  const ctx = { ...fixture.ctx(), isLocal: false }
  return { fixture, ctx, request: requesterFor({ ctx, allow }) }
}

/** An app that counts nothing, and records what it would count: the limit and the key of each call. */
function countingApp(visitor: Partial<AppEnv['Bindings']['ctx']['visitor']> = {}) {
  const counted: string[] = []
  const allow: RateLimiter = (limit, key) => Promise.resolve(counted.push(`${limit} ${key}`) > 0)
  const { ctx } = appWith()
  const request = requesterFor({ ctx: { ...ctx, visitor: { ...ctx.visitor, ...visitor } }, allow })
  return { ctx, counted, request }
}

/** An app with these changes of its context, and the lines that it logs. */
function loggingApp(changes: Partial<Context> = {}, allow?: RateLimiter) {
  const { fixture, ctx } = appWith()
  const lines: [string, ...unknown[]][] = []
  const note = (...line: [string, ...unknown[]]) => void lines.push(line)
  const log = { ...ctx.log, info: note, error: note }
  const noLimits = () => Promise.resolve(true)
  const request = requesterFor({ ctx: { ...ctx, ...changes, log }, allow: allow ?? noLimits })
  return { fixture, ctx, lines, request }
}

function requesterFor(services: AppEnv['Bindings']) {
  const app = createApp()
  return (path: string, init?: RequestInit) => app.request(path, init, services)
}

const bearerOf = async ({ keys, now }: Context, claims: Claims) =>
  `Bearer ${await signBearer(keys, claims, { now, expiresAt: now + 60_000 })}`

test('the routes are exactly those of the contract', () => {
  const routed = new Set(
    createApp()
      .routes.filter(({ method, path }) => method !== 'ALL' && !path.endsWith('/*'))
      .filter(({ path }) => !path.startsWith('/__local/'))
      .map(({ method, path }) => `${method} ${path}`),
  )
  const described = [
    ...ENDPOINTS.map((endpoint) => `${endpoint.method} ${honoPath(endpoint)}`),
    `POST ${CSP_REPORT_PATH}`,
  ]
  expect([...routed].toSorted()).toEqual(described.toSorted())
})

test('rate-limited calls are rejected while the counter cannot be reached', async () => {
  const allow = () => Promise.reject(new Error('counter unreachable'))
  const { ctx, lines, request } = loggingApp({}, allow)
  const answer = await request('/api/auth/login', post(LOGIN))
  expect(answer.status).toBe(503)
  const requestId = answer.headers.get('X-Request-Id')
  const fields = { requestId, limit: 'signIn' }
  expect(lines).toContainEqual(['calls cannot be counted', expect.any(Error), fields])
  expect(answer.headers.get('Retry-After')).toBe('60')
  expect(await answer.json()).toMatchObject({ code: 'OVERLOADED' })
  expect(ctx.db.roundTrips()).toBe(0)
  expect((await request('/api/subscription/plans')).status).toBe(200)
})

test('calls are counted by IP address, and sign-ins alone by the e-mail address they name, in any spelling', async () => {
  const { counted, request } = countingApp()
  const email = ' Nobody@Example.TEST '
  for (const spelling of [email, ' '.repeat(299) + email, ' '.repeat(5_000) + email])
    await request('/api/auth/login', post({ ...LOGIN, email: spelling }))
  await request('/api/auth/register', post({ ...REGISTRATION, email }))
  await request('/api/auth/forgot-password', post({ email }))
  const signIn = ['signIn address:192.0.2.1', 'signIn email:nobody@example.test']
  expect(counted).toEqual([
    ...[...signIn, ...signIn, ...signIn],
    'register address:192.0.2.1',
    'mail address:192.0.2.1',
  ])
})

test('a malformed sign-in is not counted by the address it names, because it leaves no trace there', async () => {
  const { counted, request } = countingApp()
  const tooLong = `${'a'.repeat(255 - '@example.test'.length)}@example.test`
  for (const odd of [{ password: '' }, { email: tooLong }, { other: 1 }]) {
    const answer = await request('/api/auth/login', post({ ...LOGIN, ...odd }))
    expect(await answer.json()).toMatchObject({ code: 'VALIDATION_FAILED' })
  }
  const passkey = { email: LOGIN.email, sealed: 'x', credential: {} }
  await request('/api/auth/login/passkey', post(passkey))
  expect(counted).toEqual(Array(4).fill('signIn address:192.0.2.1'))
})

test('browsers with a device cookie of the address have a counter of their own for each password, which nobody else can name', async () => {
  const { ctx, counted, request } = countingApp()
  const { headers, ...init } = post(LOGIN)
  for (const passwordHash of ['earlier', 'present']) {
    const browser = newBrowser({ ctx: () => ctx })
    await rememberDevice(browser.ctx(), { emailKey: LOGIN.email, passwordHash })
    const cookie = `known_device=${browser.ctx().deviceCookie.given}`
    await request('/api/auth/login', { ...init, headers: { ...headers, cookie } })
  }
  await request('/api/auth/login', post({ ...LOGIN, email: `known:${LOGIN.email}` }))
  const keys = counted.filter((key) => !key.includes('address:'))
  expect(new Set(keys).size).toBe(2)
  expect(keys.join(), 'they are no address').not.toContain('email:')
  // Nor do strangers behind the same IP address use up their calls: only the last of the three was counted by it.
  expect(counted).toEqual([...keys, 'signIn address:192.0.2.1'])
})

test('a neighbour who uses up the calls of an address stops nobody there from proving who they are and ending sessions', async () => {
  const allow: RateLimiter = (_, key) => Promise.resolve(!key.includes('192.0.2.1'))
  const { ctx, request } = appWith({ allow })
  const claims = await createAccount(ctx, { passwordHash: cheapHash() })
  const authorization = await bearerOf(ctx, claims)
  const call = async (path: string, body: object) => {
    const { headers, ...init } = post(body)
    return (await request(path, { ...init, headers: { ...headers, authorization } })).status
  }
  const proof = { kind: 'password', password: PASSWORD }
  const passwords = { currentPassword: PASSWORD, newPassword: 'Quiet-Heron-43' }
  expect([
    await call('/api/auth/confirm', { proof }),
    await call('/api/auth/sessions/end-others', {}),
    await call('/api/auth/change-password', passwords),
  ]).toEqual([200, 200, 200])
})

test('no call that a page of another site can make uses up the sign-ins of its visitors', async () => {
  const { counted, request } = countingApp()
  for (const { path } of ENDPOINTS.filter(({ method }) => method === 'GET')) await request(path)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  await request('/api/auth/login', { method: 'POST', headers: form, body: 'email=a' })
  expect(counted.filter((key) => key.startsWith('signIn'))).toEqual([])
})

test("a desktop app's reports are counted by the session that approved it, even when others share its address", async () => {
  const { ctx, counted, request } = countingApp({ ipPrefix: '2001:db8:1::/48' })
  const claims = await createAccount(ctx)
  const approved = { ...claims, sessionId: ctx.newId('ses'), approvedBy: claims.sessionId }
  const authorization = await bearerOf(ctx, approved)
  for (const path of ['/api/subscription/use-tokens', '/api/usage/sessions']) {
    const { headers, ...init } = post({})
    await request(path, { ...init, headers: { ...headers, authorization } })
  }
  const session = `session:${claims.sessionId}`
  // A use costs tokens; a session costs nothing and leaves a row.
  expect(counted).toEqual([`usage ${session}`, `change ${session}`])
})

test('calls over IPv6 are counted by the /48 network as well', async () => {
  const own = { ipAddress: '2001:db8:1:2::/64', ipPrefix: '2001:db8:1::/48' }
  const { counted, request } = countingApp(own)
  await request('/api/auth/login', post(LOGIN))
  expect(counted).toEqual([
    'signIn address:2001:db8:1:2::/64',
    `signIn email:${LOGIN.email}`,
    'network signIn:2001:db8:1::/48',
  ])
})

test('signed-in calls are counted by session, and those within its limit by what its address and network share', async () => {
  const counted: string[] = []
  const allow: RateLimiter = (limit, key) =>
    Promise.resolve(counted.push(`${limit} ${key}`) <= 3 || !key.startsWith('session:'))
  const { ctx } = appWith()
  const shared = { ipAddress: '2001:db8:1:2::/64', ipPrefix: '2001:db8:1::/48' }
  const request = requesterFor({ ctx: { ...ctx, visitor: { ...ctx.visitor, ...shared } }, allow })
  const claims = await createAccount(ctx)
  const headers = { authorization: await bearerOf(ctx, claims) }
  const statuses = []
  for (let call = 0; call < 2; call += 1)
    statuses.push((await request('/api/auth/notices/read', { method: 'POST', headers })).status)
  const session = `change session:${claims.sessionId}`
  expect(statuses).toEqual([200, 429])
  expect(counted).toEqual([
    session,
    'network change:2001:db8:1:2::/64',
    'network change:2001:db8:1::/48',
    session,
  ])
})

test('orders are counted by session, and public activations by the order they name', async () => {
  const { counted, request, ctx } = countingApp()
  const claims = await createAccount(ctx)
  const { headers, ...order } = post({ planType: 'pro' })
  const authorization = await bearerOf(ctx, claims)
  await request('/api/payment/create-order', { ...order, headers: { ...headers, authorization } })
  const [orderId, paymentLinkId] = ['order_EMU00000000001', 'plink_EMU00000000001']
  const proof = { paymentId: 'pay_EMU00000000001', signature: '3f'.repeat(32) }
  const link = { paymentLinkId, referenceId: ctx.newId('pur'), linkStatus: 'paid' }
  const fit = [{ orderId }, link].map((named) => ({ ...proof, ...named }))
  for (const body of [...fit, { ...proof, orderId: 'x'.repeat(30) }, { orderId }, [], null]) {
    await request('/api/payment/activate-order-public', post(body))
  }
  expect(counted.filter((key) => !key.includes('address:'))).toEqual([
    `order session:${claims.sessionId}`,
    'network order:192.0.2.1',
    `activation order:${orderId}`,
    `activation order:${paymentLinkId}`,
  ])
})

test('an unexpected error is a 500 without details, and a log line with the request id', async () => {
  const batch = () => Promise.reject(new Error('secret-detail-of-the-fault'))
  const db = Object.assign(Object.create(appWith().ctx.db), { batch })
  const { fixture, lines, request } = loggingApp({ db })
  const answer = await request('/api/auth/login', post(LOGIN))
  const text = await answer.text()
  expect(answer.status).toBe(500)
  expect(JSON.parse(text)).toMatchObject({ success: false, code: 'INTERNAL' })
  expect(text).not.toContain('secret-detail')
  expect(text).not.toContain(' at ')
  const requestId = answer.headers.get('X-Request-Id')
  expect(JSON.parse(text)).toHaveProperty('requestId', requestId)
  const fields = { requestId, route: 'POST /api/auth/login' }
  expect(lines).toContainEqual(['request failed', expect.any(Error), fields])
  await fixture.drain()
})

test('the log contains the route instead of the path, because the path can contain a secret', async () => {
  const { lines, request } = loggingApp()
  await request('/api/auth/verify-email/secret-part-of-a-link')
  await request('/api/auth/no-such-call/secret-part-of-a-link')
  expect(JSON.stringify(lines)).not.toContain('secret-part')
  const figures = { ms: expect.any(Number), roundTrips: expect.any(Number) }
  expect(lines).toMatchObject([
    ['request', { route: 'GET /api/auth/verify-email/{token}', ...figures }],
    ['request', { route: 'GET (unknown)', status: 404 }],
  ])
})

test('a request id comes from us, whatever the caller sends', async () => {
  const { request } = appWith()
  const headers = { 'X-Request-Id': 'forged-by-the-caller' }
  const answer = await request('/api/health/live', { headers })
  expect(answer.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/)
})

test('a 401 is logged with its route and a keyed hash of the network', async () => {
  const lines: [string, ...unknown[]][] = []
  const { visitor } = appWith().ctx
  for (const ipPrefix of ['192.0.2.0/24', '192.0.2.0/24', '198.51.100.0/24']) {
    const app = loggingApp({ visitor: { ...visitor, ipPrefix } })
    await app.request('/api/auth/me')
    lines.push(...app.lines)
  }
  const refused = lines.filter(([event]) => event === 'unauthenticated')
  const networks = refused.map(([, fields]) => String(Object(fields).network))
  const route = 'GET /api/auth/me'
  expect(refused).toMatchObject(Array(3).fill(['unauthenticated', { route }]))
  expect(networks[0]).toMatch(/^[\w-]{12}$/)
  expect([networks[1] === networks[0], networks[2] === networks[0]]).toEqual([true, false])
  expect(JSON.stringify(lines)).not.toContain('192.0.2')
})

const FORM = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

test('the two calls of RFC 8628 accept forms, as its clients send them', async () => {
  const { request } = appWith()
  const send = (path: string, fields: Record<string, string>) =>
    request(path, { method: 'POST', headers: FORM, body: new URLSearchParams(fields) })
  const asked = await send('/api/device/code', { client_id: 'x', client_name: 'Sotto für Mac' })
  const { device_code } = authorizeDeviceEndpoint.success.parse(await asked.json())
  const polled = await send('/api/device/token', { grant_type: GRANT, device_code })
  expect(await polled.json()).toMatchObject({ error: 'authorization_pending' })
  const wrong = await send('/api/device/token', { grant_type: 'password', device_code })
  expect(await wrong.json()).toMatchObject({
    error: 'unsupported_grant_type',
    errors: [{ path: 'grant_type' }],
  })
  const twice = `grant_type=${GRANT}&device_code=a&device_code=b`
  const doubled = { method: 'POST', headers: FORM, body: twice }
  expect((await request('/api/device/token', doubled)).status).toBe(400)
  expect((await send('/api/auth/login', LOGIN)).status).toBe(415)
  const big = await send('/api/device/code', { client_name: 'x'.repeat(70_000) })
  expect(big.status).toBe(413)
})

test.each([
  ['a field is missing', 400, 'invalid_request', { body: `grant_type=${GRANT}` }],
  ['a code is unknown', 400, 'invalid_grant', { body: `grant_type=${GRANT}&device_code=a` }],
  ['the body is not JSON', 400, 'invalid_request', { ...post({}), body: '{' }],
  [
    'the body is a text',
    415,
    'invalid_request',
    { body: 'a', headers: { 'content-type': 'text/plain' } },
  ],
  ['the method is another', 405, 'invalid_request', { method: 'GET', body: null }],
])('an OAuth client learns that %s', async (_, status, error, init) => {
  const { request } = appWith()
  const answer = await request('/api/device/token', { method: 'POST', headers: FORM, ...init })
  expect({ status: answer.status, ...Object(await answer.json()) }).toMatchObject({
    status,
    error,
    success: false,
    requestId: expect.any(String),
  })
})

test('an OAuth client that polls too often is told to slow down, and of a counter that is away', async () => {
  for (const [status, error, allow] of [
    [429, 'slow_down', () => Promise.resolve(false)],
    [503, 'temporarily_unavailable', () => Promise.reject(new Error('away'))],
  ] as const) {
    const { request } = appWith({ allow })
    const answer = await request('/api/device/token', { method: 'POST', headers: FORM, body: '' })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('Retry-After')).toBe('60')
    expect(await answer.json()).toMatchObject({ error })
  }
})

test.each(['Bearer ', 'bearer ', 'BEARER   '])('%j begins a bearer token', async (scheme) => {
  const { ctx, request } = appWith()
  const token = (await bearerOf(ctx, await createAccount(ctx))).replace('Bearer ', '')
  const headers = { authorization: scheme + token }
  expect((await request('/api/auth/me', { headers })).status).toBe(200)
})

test('a malformed id in a path is none, and a query field that is wrong or comes twice is named, without a look at the database', async () => {
  const { ctx, request } = appWith()
  const headers = { authorization: await bearerOf(ctx, await createAccount(ctx)) }
  const before = ctx.db.roundTrips()
  const wrong = ['[object Object]', ' ', 'a'.repeat(4_000), '../../auth/me', 'a\u0000b', "' OR 1=1"]
  for (const id of [...wrong.map(encodeURIComponent), '%E0%A4%A']) {
    expect((await request(`/api/payment/status/${id}`, { headers })).status, id).toBe(404)
  }
  for (const days of ['days=1.5', 'days=7&days=8']) {
    const answer = await request(`/api/usage?${days}`, { headers })
    const named = { code: 'VALIDATION_FAILED', errors: [{ path: 'days' }] }
    expect(await answer.json(), days).toMatchObject(named)
  }
  expect(ctx.db.roundTrips()).toBe(before)
})

test.each([
  [400, {}],
  [415, { 'content-type': 'application/json; charset=iso-8859-1' }],
  [415, { 'content-encoding': 'gzip' }],
])('a body that is not UTF-8 gets %s with %j', async (status, headers) => {
  const { request } = appWith()
  const body = Buffer.from(JSON.stringify({ ...LOGIN, password: 'Zo\u00eb-Otter-42' }), 'latin1')
  const init = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }
  const answer = await request('/api/auth/login', init)
  expect(answer.status).toBe(status)
  if (status === 415) {
    expect(answer.headers.get('Accept')).toBe('application/json')
    expect(answer.headers.get('Accept-Encoding')).toBe('identity')
  }
})

test.each([
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
  'application/json; charset=utf8',
])('a body of %s is read', async (type) => {
  const { request } = appWith()
  const init = {
    ...post({ ...LOGIN, email: 'no-account@example.test' }),
    headers: { 'content-type': type, 'content-encoding': 'identity' },
  }
  expect((await request('/api/auth/login', init)).status).toBe(401)
})

test('an empty body counts as one without fields, whatever its media type', async () => {
  const { request } = appWith()
  const empty = { ...post(undefined), body: '' }
  expect((await request('/api/device/code', empty)).status).toBe(200)
  const login = await request('/api/auth/login', empty)
  expect(await login.json()).toMatchObject({ code: 'VALIDATION_FAILED' })
})
