import { expect, inject, test } from 'vitest'
import { A_MINUTE_AT_THE_EDGE } from '../../edge-api/http/cached-answer.ts'
import { exampleOf } from '../../site/openapi/examples.ts'
import { redirectOf } from '../../site/openapi/operation.ts'
import { buildRequest } from '../../src/api/call-endpoint.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { SERVER } from '../../src/contract/messages.ts'
import { endSessionEndpoint } from '../../src/contract/session.ts'
import { askGood, bad } from '../harness/ask.ts'
import { createMember, signInAgain } from '../harness/member.ts'
import {
  type Answer,
  type CallOptions,
  newVisitor,
  pour,
  type Visitor,
} from '../harness/visitor.ts'

/** The same checks for every endpoint of the contract: a new one is covered as soon as it is listed. */
const own = ENDPOINTS.filter(({ access }) => access !== 'provider')
const withSession = own.filter(({ access }) => access === 'session')
/** Endpoints that redirect do so whatever they are sent, and have their own test. */
const inJson = own.filter((endpoint) => redirectOf(endpoint) === null)
const withBody = inJson.filter((endpoint) => exampleOf(endpoint).body !== undefined)
const writing = inJson.filter(({ method }) => method === 'POST' || method === 'PATCH')

const JSON_TYPE = { 'content-type': 'application/json' }

/** How zod words an error for which the contract has no sentence. */
const WORDS_OF_ZOD = /Invalid (input|option|string)|Too (big|small)|expected|received/

const pathOf = (endpoint: Endpoint) => buildRequest(endpoint, exampleOf(endpoint)).path

/** A visitor whom the endpoint lets in: signed in where it needs a session. */
function welcome(endpoint: Endpoint): Promise<Visitor> {
  const visitor = newVisitor(inject('siteUrl'))
  return endpoint.access === 'session' ? createMember() : Promise.resolve(visitor)
}

function send(visitor: Visitor, endpoint: Endpoint, options: CallOptions): Promise<Answer> {
  return visitor.call(pathOf(endpoint), { method: endpoint.method, ...options })
}

test.each(withSession)(
  '$id without a session, or with one that has ended, is 401',
  async (endpoint) => {
    const { body } = exampleOf(endpoint)
    const options = body === undefined ? {} : { json: body }
    const user = await createMember()
    const other = await signInAgain(user)
    await askGood(other, endSessionEndpoint, { params: { id: user.sessionId } })
    for (const visitor of [newVisitor(inject('siteUrl')), user]) {
      const answer = await send(visitor, endpoint, options)
      expect(bad(answer)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
      expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer')
    }
  },
)

test.each(withBody)(
  '$id refuses a body of wrong types field by field, an unknown field by its name, and what is no object',
  async (endpoint) => {
    const visitor = await welcome(endpoint)
    const example = Object(exampleOf(endpoint).body)
    const fields = Object.keys(example)
    const wrong = Object.fromEntries(fields.map((field) => [field, { not: 'this' }]))
    const refused = bad(await send(visitor, endpoint, { json: wrong }))
    expect(refused).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    expect(refused.errors?.length).toBeGreaterThan(0)
    for (const { path, msg } of refused.errors ?? []) {
      expect(['', ...fields]).toContain(path.split('.')[0])
      expect(msg).not.toBe('')
      expect(msg).not.toMatch(WORDS_OF_ZOD)
    }
    for (const text of ['null', '[]']) {
      const answer = await send(visitor, endpoint, { text, headers: JSON_TYPE })
      expect(bad(answer)).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    }
    // OAuth clients may send fields that a server does not know, so its calls ignore them.
    const answer = await send(visitor, endpoint, { json: { ...example, surprise: 1 } })
    const named = 'errors' in Object(answer.body) ? bad(answer).errors : undefined
    const msg = 'There is no such field here. Please leave it out.'
    expect(named).toEqual(endpoint.takesForm === true ? undefined : [{ path: 'surprise', msg }])
  },
)

test.each(writing)(
  '$id refuses text/plain with 415 and malformed JSON with 400',
  async (endpoint) => {
    const visitor = await welcome(endpoint)
    const headers = { 'content-type': 'text/plain' }
    expect(bad(await send(visitor, endpoint, { text: '{}', headers }))).toMatchObject({
      status: 415,
      code: 'UNSUPPORTED_MEDIA_TYPE',
    })
    const malformed = { text: '{"email":', headers: JSON_TYPE }
    expect(bad(await send(visitor, endpoint, malformed))).toMatchObject({
      status: 400,
      code: 'MALFORMED_JSON',
      errors: [{ path: '', msg: SERVER.malformedJson }],
    })
  },
)

test.each(ENDPOINTS.filter(({ method }) => method === 'POST' || method === 'PATCH'))(
  '$id refuses 10 MB with 413',
  async (endpoint) => {
    const { address } = newVisitor(inject('siteUrl'))
    const answer = await pour(new URL(pathOf(endpoint), inject('siteUrl')), {
      method: endpoint.method,
      headers: { 'cf-connecting-ip': address, ...(await authorization(endpoint)) },
      declaredBytes: 10 * 1024 * 1024,
      sentBytes: 1_000,
    })
    expect(bad(answer)).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' })
  },
)

test('a body without a Content-Length is refused beyond 64 KiB', async () => {
  const { address } = newVisitor(inject('siteUrl'))
  const answer = await pour(new URL('/api/auth/login', inject('siteUrl')), {
    method: 'POST',
    headers: { 'cf-connecting-ip': address },
    sentBytes: 100_000,
  })
  expect(bad(answer)).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' })
})

async function authorization({ access }: Endpoint): Promise<Record<string, string>> {
  if (access !== 'session') return {}
  const { bearer } = await createMember()
  return { authorization: `Bearer ${bearer}` }
}

test.each([...new Map(ENDPOINTS.map((endpoint) => [endpoint.path, endpoint])).values()])(
  '$path refuses other methods and names the ones it allows',
  async (endpoint) => {
    const allowed = methodsOf(endpoint.path)
    const visitor = newVisitor(inject('siteUrl'))
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (allowed.includes(method)) continue
      const answer = await visitor.call(pathOf(endpoint), { method })
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

test.each(ENDPOINTS)('$id answers with the security headers of the API', async (endpoint) => {
  const visitor = newVisitor(inject('siteUrl'))
  const origin = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const { status, headers } = await send(visitor, endpoint, { headers: origin })
  expect(status).toBeLessThan(503)
  const isForAMinute = endpoint.path === '/api/announcement'
  const isPolicy = endpoint.path.startsWith('/api/app/')
  const keeps = isPolicy ? 'public, no-cache' : isForAMinute ? 'public, max-age=60' : 'no-store'
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

test.each([
  'null',
  'http://sotto.example',
  'https://sotto.example.evil.example',
  'https://evil-sotto.example',
])('a page of %s gets no CORS headers, even with credentials', async (origin) => {
  const headers = { origin, 'access-control-request-method': 'POST', cookie: 'a=b' }
  for (const method of ['OPTIONS', 'POST', 'GET']) {
    const answer = await newVisitor(inject('siteUrl')).call('/api/auth/login', { method, headers })
    const allowed = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))
    expect(allowed).toEqual([])
  }
})

test.each(own.filter((endpoint) => redirectOf(endpoint) !== null))(
  '$id redirects whatever it is sent',
  async (endpoint) => {
    const isSent = endpoint.method === 'POST'
    const bodies: CallOptions[] = isSent
      ? [{ text: 'a=b' }, { text: '{"a":', headers: JSON_TYPE }]
      : []
    for (const options of [{}, ...bodies]) {
      const answer = await send(newVisitor(inject('siteUrl')), endpoint, options)
      expect(answer.status).toBe(redirectOf(endpoint)?.status)
      expect(answer.headers.get('Location')).toMatch(/^(\/|http:\/\/localhost:)/)
    }
  },
)

test('an unknown API path is 404, whatever the method', async () => {
  const visitor = newVisitor(inject('siteUrl'))
  for (const method of ['GET', 'POST', 'DELETE', 'PUT']) {
    const answer = await visitor.call('/api/no/such/thing', { method })
    expect(bad(answer)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  }
  for (const path of ['/api', '/api/', '/api/auth', '/api/auth/login/', '/api//auth/login']) {
    expect((await visitor.call(path)).status).not.toBe(200)
  }
})
