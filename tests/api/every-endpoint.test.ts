import { expect, inject, test } from 'vitest'
import { A_MINUTE_AT_THE_EDGE } from '../../edge-api/http/cached-answer.ts'
import { exampleOf } from '../../site/openapi/examples.ts'
import { redirectOf } from '../../site/openapi/operation.ts'
import { buildRequest } from '../../src/api/call-endpoint.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { bad } from '../harness/ask.ts'
import { createMember } from '../harness/member.ts'
import {
  type Answer,
  type CallOptions,
  newVisitor,
  pour,
  type Visitor,
} from '../harness/visitor.ts'

/**
 * What depends on the runtime, for every endpoint of the contract: a new one is covered as soon as it is listed.
 * edge-api/every-call.test.ts and every-address.test.ts check in the process what the app alone decides.
 */
const own = ENDPOINTS.filter(({ access }) => access !== 'provider')
const JSON_TYPE = { 'content-type': 'application/json' }

const pathOf = (endpoint: Endpoint) => buildRequest(endpoint, exampleOf(endpoint)).path

function send(visitor: Visitor, endpoint: Endpoint, options: CallOptions): Promise<Answer> {
  return visitor.call(pathOf(endpoint), { method: endpoint.method, ...options })
}

const LOGIN = '/api/auth/login'
const TEXT = { 'content-type': 'text/plain' }

test.each([
  ['no session', '/api/auth/me', {}, 401, 'UNAUTHENTICATED'],
  ['another method', LOGIN, { method: 'PUT' }, 405, 'METHOD_NOT_ALLOWED'],
  ['text/plain', LOGIN, { text: '{}', headers: TEXT }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['malformed JSON', LOGIN, { text: '{"a":', headers: JSON_TYPE }, 400, 'MALFORMED_JSON'],
  ['wrong types', LOGIN, { json: { email: {} } }, 400, 'VALIDATION_FAILED'],
  ['a broken path', '/api/auth/verify-email/%E0%A4%A', {}, 400, 'LINK_INVALID'],
  ['a wrong query', '/api/subscription/plans?currency=%00', {}, 400, 'VALIDATION_FAILED'],
] as const)('the built Worker refuses %s', async (_what, path, options, status, code) => {
  const answer = await newVisitor(inject('siteUrl')).call(path, options)
  expect(bad(answer)).toMatchObject({ status, code })
})

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
  const answer = await pour(new URL(LOGIN, inject('siteUrl')), {
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
    const answer = await newVisitor(inject('siteUrl')).call(LOGIN, { method, headers })
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
