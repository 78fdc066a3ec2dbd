import { expect, test } from 'vitest'
import { bad } from '../harness/ask.ts'
import { visitor } from '../harness/visitor.ts'

// What depends on the runtime; edge-api/every-endpoint.test.ts checks every endpoint in the process.

const LOGIN = '/api/auth/login'
const TEXT = { 'content-type': 'text/plain' }

test.each([
  ['no session', '/api/auth/me', {}, 401, 'UNAUTHENTICATED'],
  ['text/plain', LOGIN, { text: '{}', headers: TEXT }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['a broken path', '/api/auth/verify-email/%E0%A4%A', {}, 400, 'LINK_INVALID'],
  ['a wrong query', '/api/subscription/plans?currency=%00', {}, 400, 'VALIDATION_FAILED'],
] as const)('the built Worker rejects %s', async (_what, path, options, status, code) => {
  const answer = await visitor().call(path, options)
  expect(bad(answer)).toMatchObject({ status, code })
})

test('the built Worker changes no header of the app, and adds none that lets other sites read answers', async () => {
  const foreign = { origin: 'https://evil.example', cookie: 'a=b' }
  const { headers } = await visitor().call(LOGIN, { json: {}, headers: foreign })
  expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'strict-transport-security': expect.stringMatching(/max-age=(\d{8,}); includeSubDomains/),
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-request-id': expect.stringMatching(/^[\w-]{8,100}$/),
  })
})

test('an unknown API path is 404, whatever the method', async () => {
  const caller = visitor()
  for (const method of ['GET', 'POST', 'DELETE', 'PUT']) {
    const answer = await caller.call('/api/no/such/thing', { method })
    expect(bad(answer)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  }
  for (const path of ['/api', '/api/', '/api/auth', '/api/auth/login/', '/api//auth/login']) {
    expect((await caller.call(path)).status).not.toBe(200)
  }
})
