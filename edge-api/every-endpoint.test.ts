import { type SQL, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { exampleOf } from '../site/openapi/examples.ts'
import { inputSchema } from '../site/openapi/json-schema.ts'
import { redirectOf } from '../site/openapi/operation.ts'
import { buildRequest } from '../src/api/call-endpoint.ts'
import { type Endpoint, Failure } from '../src/contract/endpoint.ts'
import { ENDPOINTS } from '../src/contract/endpoints.ts'
import { SERVER } from '../src/contract/messages.ts'
import { bad } from '#harness/ask.ts'
import { dumpDatabase } from '#harness/stored.ts'
import type { Answer, CallOptions } from '#harness/visitor.ts'
import { openSession } from '#harness/fixture/account.ts'
import { type AppCaller, appCaller, appUser, openShop } from '#harness/fixture/app-caller.ts'
import { emptyFixture } from '#harness/fixture/empty-fixture.ts'
import { databaseUrl } from '#harness/fixture/fixture.ts'
import { minutes } from './domain/time.ts'
import { A_MINUTE_AT_THE_EDGE } from './http/cached-answer.ts'

/**
 * The same checks for every endpoint of the contract: a new one is covered as soon as it is listed. What depends on the
 * runtime, tests/api/every-endpoint.test.ts asks of the built Worker.
 */
const own = ENDPOINTS.filter(({ access }) => access !== 'provider')
const withSession = own.filter(({ access }) => access === 'session')
/** Endpoints that redirect do so whatever they are sent, and have their own test. */
const inJson = own.filter((endpoint) => redirectOf(endpoint) === null)
const withBody = inJson.filter((endpoint) => exampleOf(endpoint).body !== undefined)
const writing = inJson.filter(({ method }) => method === 'POST' || method === 'PATCH')

const JSON_TYPE = { 'content-type': 'application/json' }

const pathOf = (endpoint: Endpoint) =>
  buildRequest(`${endpoint.method} ${endpoint.path}`, exampleOf(endpoint)).path

function send(caller: AppCaller, endpoint: Endpoint, options: CallOptions): Promise<Answer> {
  return caller.call(pathOf(endpoint), { method: endpoint.method, ...options })
}

// Small, because tests below compare all of it.
await emptyFixture()
const shop = await openShop()

/** A caller with a session of its own, after this change of it, and a token with these claims besides. */
async function callerWith(change: SQL, ofToken = {}): Promise<AppCaller> {
  const { fixture } = shop
  const claims = { ...(await openSession(fixture.ctx(), shop.claims.userId)), ...ofToken }
  await fixture.read(sql`UPDATE sessions SET ${change} WHERE id = ${claims.sessionId}`)
  return appUser({ fixture, claims })
}
const ended = await callerWith(sql`ended_at = 1`)
const isApps = sql`kind = 'desktop'`
const newApp = () => callerWith(isApps, { approvedBy: shop.claims.sessionId })
const app = await newApp()
const appWithoutClaim = await callerWith(isApps)
const user = await appUser(shop)
/** A caller whom the endpoint lets in: signed in where it needs a session. */
const welcome = ({ access }: Endpoint) => (access === 'session' ? user : appCaller(shop.fixture))

/** The example of an endpoint, as this caller sends it. */
function sendExample(caller: AppCaller, endpoint: Endpoint): Promise<Answer> {
  const { body } = exampleOf(endpoint)
  return send(caller, endpoint, body === undefined ? {} : { json: body })
}

test.each(withSession)(
  '$id without a session, with one that has ended, or with an app’s under a browser’s token, is 401',
  async (endpoint) => {
    for (const caller of [appCaller(), ended, appWithoutClaim]) {
      const answer = await sendExample(caller, endpoint)
      expect(bad(answer)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
      expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer')
    }
  },
)

/** What the consent page says that an app may do. */
const FOR_APPS = ['logout', 'me', 'useTokens', 'useTokensBatch', 'recordUsageSession']
const [ofApps, others] = [true, false].map((isForApps) =>
  withSession.filter(({ forApps = false }) => forApps === isForApps),
)

test('the session of an app opens only what the consent page says', async () => {
  expect(ofApps?.map(({ id }) => id)).toEqual(FOR_APPS)
  for (const endpoint of ofApps ?? []) {
    const { body } = await sendExample(await newApp(), endpoint)
    expect(Failure.safeParse(body).data?.code, endpoint.id).not.toBe('NOT_FOR_APPS')
  }
})

test.each(others ?? [])(
  '$id called by an app is rejected, and changes nothing',
  async (endpoint) => {
    const before = await dumpDatabase(databaseUrl())
    const answer = await sendExample(app, endpoint)
    await shop.fixture.drain()
    expect(bad(answer)).toMatchObject({ status: 403, code: 'NOT_FOR_APPS' })
    expect(await dumpDatabase(databaseUrl())).toBe(before)
  },
)

/** Calls that need a confirmation for some accounts or sessions; each is tested with its function. */
const SOMETIMES = ['deleteAccount', 'askRefund', 'mailRefundLink']
const sensitive = withSession.filter(
  ({ id, errors }) => errors.includes('STEP_UP_REQUIRED') && !SOMETIMES.includes(id),
)

test.each(sensitive)('$id needs a confirmation of the last ten minutes', async (endpoint) => {
  const caller = await callerWith(sql`confirmed_at = ${shop.fixture.now() - minutes(10)}`)
  const answer = await sendExample(caller, endpoint)
  expect(bad(answer)).toMatchObject({ status: 403, code: 'STEP_UP_REQUIRED' })
})

test.each(withBody)(
  '$id rejects a body of wrong types field by field, an unknown field by its name, and what is no object',
  async (endpoint) => {
    const caller = welcome(endpoint)
    const example = Object(exampleOf(endpoint).body)
    const fields = Object.keys(example)
    const wrong = Object.fromEntries(fields.map((field) => [field, { not: 'this' }]))
    const refused = bad(await send(caller, endpoint, { json: wrong }))
    expect(refused).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    expect(refused.errors?.length).toBeGreaterThan(0)
    for (const { path, msg } of refused.errors ?? []) {
      expect(['', ...fields]).toContain(path.split('.')[0])
      expect(msg).not.toBe('')
    }
    for (const text of ['null', '[]']) {
      const answer = await send(caller, endpoint, { text, headers: JSON_TYPE })
      expect(bad(answer)).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    }
    // OAuth clients may send fields that a server does not know, so its calls ignore them.
    const answer = await send(caller, endpoint, { json: { ...example, surprise: 1 } })
    const named = 'errors' in Object(answer.body) ? bad(answer).errors : undefined
    const msg = 'There is no such field here. Please leave it out.'
    if (endpoint.takesForm === true)
      expect(named ?? []).not.toContainEqual({ path: 'surprise', msg })
    else expect(named).toEqual([{ path: 'surprise', msg }])
  },
)

test.each(writing)(
  '$id rejects text/plain with 415 and malformed JSON with 400',
  async (endpoint) => {
    const caller = welcome(endpoint)
    const headers = { 'content-type': 'text/plain' }
    expect(bad(await send(caller, endpoint, { text: '{}', headers }))).toMatchObject({
      status: 415,
      code: 'UNSUPPORTED_MEDIA_TYPE',
    })
    const malformed = { text: '{"email":', headers: JSON_TYPE }
    expect(bad(await send(caller, endpoint, malformed))).toMatchObject({
      status: 400,
      code: 'MALFORMED_JSON',
      errors: [{ path: '', msg: SERVER.malformedJson }],
    })
  },
)

test.each(ENDPOINTS.filter(({ method }) => method === 'POST' || method === 'PATCH'))(
  '$id rejects a body of a megabyte with 413, and one that declares it before it has come',
  async (endpoint) => {
    const declared = { text: '{}', headers: { ...JSON_TYPE, 'content-length': '1000000' } }
    for (const body of [{ text: 'a'.repeat(1_000_000), headers: JSON_TYPE }, declared]) {
      const answer = await send(welcome(endpoint), endpoint, body)
      expect(bad(answer)).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' })
    }
  },
)

test.each(ENDPOINTS)('$id answers with the security headers of the API', async (endpoint) => {
  const origin = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const { status, headers } = await send(appCaller(shop.fixture), endpoint, { headers: origin })
  expect(status).toBeLessThan(503)
  const isForAMinute = endpoint.path === '/api/announcement'
  const keeps = isForAMinute ? 'public, max-age=60' : 'no-store'
  const isPlans = endpoint.path.startsWith('/api/subscription/plan')
  const expected = {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'strict-transport-security': expect.stringMatching(/max-age=(\d{8,}); includeSubDomains/),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': isPlans ? A_MINUTE_AT_THE_EDGE : keeps,
    'x-request-id': expect.stringMatching(/^[\w-]{8,100}$/),
    'server-timing': expect.stringMatching(/db;desc="trips=\d+"/),
    'access-control-allow-origin': null,
    'access-control-allow-credentials': null,
  }
  for (const [name, value] of Object.entries(expected)) {
    expect(headers.get(name), name).toEqual(value)
  }
})

test.each(own.filter((endpoint) => redirectOf(endpoint) !== null))(
  '$id redirects whatever it is sent',
  async (endpoint) => {
    const isSent = endpoint.method === 'POST'
    const bodies: CallOptions[] = isSent
      ? [{}, { text: 'a=b' }, { text: '{"a":', headers: JSON_TYPE }]
      : [{}]
    const odd = ['a'.repeat(4_000), 'a\u0000b', '//evil.example', '[object Object]']
    const queries = Object.keys(inputSchema(endpoint.query).properties ?? {}).flatMap((name) =>
      odd.map((value) => `?${name}=${encodeURIComponent(value)}&${name}=twice`),
    )
    for (const query of ['', ...queries]) {
      for (const options of bodies) {
        const answer = await appCaller().call(`${endpoint.path}${query}`, {
          method: endpoint.method,
          ...options,
        })
        expect(answer.status).toBe(redirectOf(endpoint)?.status)
        expect(answer.headers.get('Location')).toMatch(
          /^(\/login\?problem=\w+|\/subscription\/cancel\?reason=\w+|http:\/\/localhost:\d+\/.*)$/,
        )
      }
    }
  },
)

test.each([...new Map(ENDPOINTS.map((endpoint) => [endpoint.path, endpoint])).values()])(
  '$path rejects other methods and names the ones it allows',
  async (endpoint) => {
    const allowed = methodsOf(endpoint.path)
    const caller = appCaller()
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (allowed.includes(method)) continue
      const answer = await caller.call(pathOf(endpoint), { method })
      expect(bad(answer)).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' })
      expect(answer.headers.get('Allow')?.split(', ').toSorted()).toEqual(allowed)
    }
  },
)

/** What a path answers to, in order. `end-others` also matches `{id}` of another endpoint. */
function methodsOf(path: string): string[] {
  const matching = ENDPOINTS.filter((other) =>
    new RegExp(`^${other.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )
  const methods = matching.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return [...new Set(methods)].toSorted()
}
