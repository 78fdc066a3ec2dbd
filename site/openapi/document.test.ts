import { expect, test } from 'vitest'
import { brand } from '../brand.ts'
import { OAuthError } from '../../src/contract/device.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { ERROR_STATUS } from '../../src/contract/errors.ts'
import { BODY_MAX_BYTES } from '../../src/contract/limits.ts'
import { buildDocument } from './document.ts'
import { exampleOf } from './examples.ts'
import { failureCodes } from './failures.ts'

const document = buildDocument(brand)

function described() {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
}

test('the document describes exactly the endpoints of the contract', () => {
  const calls = ENDPOINTS.map(({ method, path }) => `${method} ${path}`)
  expect(described().toSorted()).toEqual(calls.toSorted())
})

test.each(ENDPOINTS)('$id has a summary', (endpoint) => {
  const advice = `Write the summary of ${endpoint.id} in site/openapi/examples-*.ts`
  expect(exampleOf(endpoint).summary, advice).toMatch(/^\S.{10,}/)
})

test('every call has a chapter of its own subject', () => {
  const chapters = document.tags.map(({ name }) => name)
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const { tags } of Object.values(methods)) {
      const advice = `Add a chapter for ${path} to CHAPTERS in site/openapi/operation.ts`
      expect(chapters, advice).toEqual(expect.arrayContaining(tags))
    }
  }
})

test('every reference in the document resolves', () => {
  const text = JSON.stringify(document)
  const targets = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)]
  expect(targets.length).toBeGreaterThan(50)
  for (const [, part, name = ''] of targets) {
    const known = part === 'schemas' ? document.components.schemas : document.components.headers
    expect(Object.keys(known)).toContain(name)
  }
})

test('every error code is described somewhere, under its own status', () => {
  const codes = new Set(ENDPOINTS.flatMap(failureCodes))
  expect([...codes].toSorted()).toEqual(Object.keys(ERROR_STATUS).toSorted())
  for (const methods of Object.values(document.paths)) {
    for (const { responses } of Object.values(methods)) {
      for (const [status, { content }] of Object.entries(responses)) {
        const examples = content?.['application/json'].examples ?? {}
        const listed = Object.entries(ERROR_STATUS).filter(([code]) => code in examples)
        expect(listed.every(([, own]) => String(own) === status)).toBe(true)
      }
    }
  }
})

test('a signed-in operation names the bearer scheme, a limited one its limit', () => {
  const useTokens = document.paths['/api/subscription/use-tokens']?.['post']
  expect(useTokens?.security).toEqual([{ bearer: [] }])
  expect(useTokens?.parameters.map(({ name }) => name)).toEqual(['Idempotency-Key'])
  const login = document.paths['/api/auth/login']?.['post']
  expect(login?.security).toEqual([])
  expect(login?.['x-rate-limit']).toEqual({ name: 'signIn', calls: 10, seconds: 60 })
})

test('each failure of the sign-in of an app says which `error` of OAuth it names', () => {
  const said = { properties: { error: { enum: OAuthError.options } } }
  for (const path of ['/api/device/code', '/api/device/token']) {
    for (const status of ['400', '429', '500', '503']) {
      const refused = document.paths[path]?.['post']?.responses[status]
      expect(refused?.content?.['application/json']?.schema?.allOf?.[1]).toMatchObject(said)
    }
  }
  const { content } = document.paths['/api/device/token']?.['post']?.responses['400'] ?? {}
  const { value } = content?.['application/json']?.examples?.['DEVICE_CODE_REFUSED'] ?? {}
  expect(value).toMatchObject({ error: 'authorization_pending' })
})

test('the description names every size that a body may have', () => {
  const sizes = ENDPOINTS.filter(({ access }) => access !== 'provider').map(
    ({ maxBytes = BODY_MAX_BYTES }) => `${maxBytes / 1_024} KiB`,
  )
  const named = [...document.info.description.matchAll(/\d+ KiB/g)].map(([size]) => size)
  expect(new Set(named)).toEqual(new Set(sizes))
})

test('only the two endpoints of RFC 8628 and the checkout callback accept forms', () => {
  const takers = Object.entries(document.paths).filter(([, methods]) =>
    JSON.stringify(methods).includes('"application/x-www-form-urlencoded":'),
  )
  expect(takers.map(([path]) => path)).toEqual([
    '/api/device/code',
    '/api/device/token',
    '/api/payment/checkout-callback',
  ])
})
