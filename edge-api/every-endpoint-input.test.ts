import { expect, test } from 'vitest'
import { exampleOf } from '../site/openapi/examples.ts'
import { inputSchema } from '../site/openapi/json-schema.ts'
import { redirectOf } from '../site/openapi/operation.ts'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { ENDPOINTS } from '../src/contract/endpoints.ts'
import { bad } from '#harness/ask.ts'
import type { Answer } from '#harness/visitor.ts'
import { type AppCaller, appUser } from '#harness/fixture/app-caller.ts'

/** Wrong path parameters and query strings for every endpoint of the contract that has any. */
const own = ENDPOINTS.filter(({ access }) => access !== 'provider')
const namesIn = (schema: Endpoint['params']) => Object.keys(inputSchema(schema).properties ?? {})

const PLACES = own.filter(({ params }) => namesIn(params).length > 0)
const FIELDS = own
  .filter((endpoint) => redirectOf(endpoint) === null)
  .flatMap((endpoint) =>
    namesIn(endpoint.query).map((name) => ({ endpoint, id: endpoint.id, name })),
  )
const WALKED = own.filter((endpoint) => redirectOf(endpoint) !== null)
const READ = own.filter((endpoint) => endpoint.method === 'GET' && redirectOf(endpoint) === null)

const WRONG = [
  'pur_00000000000000000000000000',
  'PUR_00000000000000000000000000',
  '-1',
  '1.5',
  'NaN',
  '[object Object]',
  ' ',
  'a'.repeat(4_000),
  '../../auth/me',
  'a\u0000b',
  "' OR 1=1 --",
  'ａ🙂',
]

test('the lists of endpoints with parameters, queries and redirects are not empty', () => {
  expect(PLACES.length).toBeGreaterThan(5)
  expect(FIELDS.length).toBeGreaterThan(5)
  expect(WALKED.length).toBeGreaterThan(2)
})

test.each(PLACES)('$id rejects a wrong parameter in its path', async (endpoint) => {
  const user = await appUser()
  const values = [...WRONG.map((value) => encodeURIComponent(value)), '%E0%A4%A']
  const tries = values.map(async (value) => {
    const path = endpoint.path.replaceAll(/\{\w+\}/g, () => value)
    expectApiError(value, await send(user, endpoint, path))
  })
  await Promise.all(tries)
})

test.each(FIELDS)('$id rejects a wrong ?$name= and names the field', async ({ endpoint, name }) => {
  const user = await appUser()
  const { [name]: fit, ...others } = exampleOf(endpoint).query ?? {}
  const unfit = WRONG.filter(
    (value) => !endpoint.query.safeParse({ ...others, [name]: value }).success,
  )
  const queries = [
    ...[...unfit, 'a'.repeat(4_000), 'nonsense'].map((value) => asQuery(name, value)),
    `${asQuery(name, fit ?? 1)}&${asQuery(name, fit ?? 2)}`,
  ]
  const tries = queries.map(async (query) => {
    const rest = Object.entries(others).map((field) => asQuery(...field))
    const answer = await send(user, endpoint, `${endpoint.path}?${[...rest, query].join('&')}`)
    const { code, errors = [] } = expectApiError(query, answer)
    expect({ query, code }).toEqual({ query, code: 'VALIDATION_FAILED' })
    expect(errors.map(({ path }) => path.split('.')[0])).toContain(name)
  })
  await Promise.all(tries)
})

test.each(WALKED)('$id redirects a malformed query to a page of this site', async (endpoint) => {
  const user = await appUser()
  const queries = namesIn(endpoint.query).flatMap((name) =>
    WRONG.map((value) => `${asQuery(name, value)}&${asQuery(name, value)}`),
  )
  const tries = queries.map(async (query) => {
    const { status, headers } = await send(user, endpoint, `${endpoint.path}?${query}`)
    expect(status).toBe(redirectOf(endpoint)?.status)
    expect(headers.get('Location')).toMatch(
      /^(\/login\?problem=\w+|\/subscription\/cancel\?reason=\w+|http:\/\/localhost:\d+\/.*)$/,
    )
  })
  await Promise.all(tries)
})

test.each(READ)('$id ignores unknown query fields', async (endpoint) => {
  const user = await appUser()
  const path = endpoint.path.replaceAll(/\{\w+\}/g, 'x')
  const unknown = '?userId=usr_x&amount=1&__proto__=1&constructor=2&toString=3'
  const plain = await send(user, endpoint, path)
  expect((await send(user, endpoint, path + unknown)).status).toBe(plain.status)
})

function send(user: AppCaller, endpoint: Endpoint, path: string): Promise<Answer> {
  const { body } = exampleOf(endpoint)
  return user.call(path, {
    method: endpoint.method,
    ...(body === undefined ? {} : { json: body }),
  })
}

function expectApiError(what: string, answer: Answer) {
  const rejection = bad(answer)
  expect([400, 404], `${what} answered ${rejection.status} ${rejection.code}`).toContain(
    rejection.status,
  )
  expect(rejection.message).not.toBe('')
  return rejection
}

function asQuery(name: string, value: unknown): string {
  return new URLSearchParams([[name, String(value)]]).toString()
}
