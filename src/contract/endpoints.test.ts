import { expect, test } from 'vitest'
import { exampleOf } from '../../edge-api/http/openapi/examples.ts'
import { Failure } from './endpoint.ts'
import { ENDPOINTS } from './endpoints.ts'
import { COMMON_ERRORS, ERROR_STATUS } from './errors.ts'

test('every call has an id and an address of its own', () => {
  const ids = ENDPOINTS.map(({ id }) => id)
  const addresses = ENDPOINTS.map(({ method, path }) => `${method} ${path}`)
  expect(new Set(ids).size).toBe(ids.length)
  expect(new Set(addresses).size).toBe(addresses.length)
})

test.each(ENDPOINTS)('$id names in its path exactly the parameters it takes', (endpoint) => {
  const named = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const { params = {} } = exampleOf(endpoint)
  expect(Object.keys(params)).toEqual(named)
})

test.each(ENDPOINTS)('what $id parsed parses to the same again', (endpoint) => {
  const { params = {}, query = {}, body = {}, success } = exampleOf(endpoint)
  const parts = [
    [endpoint.params, params],
    [endpoint.query, query],
    [endpoint.body, body],
    [endpoint.success, success],
  ] as const
  for (const [schema, value] of parts) {
    const once = schema.parse(value)
    expect(schema.parse(once)).toEqual(once)
  }
})

test.each(ENDPOINTS)('what $id may answer knows no code outside the closed list', (endpoint) => {
  const known = Object.keys(ERROR_STATUS)
  for (const code of [...endpoint.errors, ...COMMON_ERRORS]) expect(known).toContain(code)
})

test('a session is never asked for by an address that the provider calls', () => {
  const paths = ENDPOINTS.filter(({ access }) => access === 'provider').map(({ path }) => path)
  expect(paths).toEqual(['/api/webhooks/razorpay'])
})

test('every status of a failure is one a client can act on', () => {
  for (const status of Object.values(ERROR_STATUS)) {
    expect([400, 401, 402, 403, 404, 405, 409, 413, 415, 429, 500, 503]).toContain(status)
  }
})

test('a failure without a request id is no failure of ours', () => {
  const failure = { success: false, code: 'INTERNAL', message: 'No' }
  expect(Failure.safeParse(failure).success).toBe(false)
  expect(Failure.safeParse({ ...failure, requestId: 'r1' }).success).toBe(true)
})
