import { expect, test } from 'vitest'
import { exampleOf } from '../../edge-api/http/openapi/examples.ts'
import { inputSchema } from '../../edge-api/http/openapi/json-schema.ts'
import { redirectOf } from '../../edge-api/http/openapi/operation.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { exportDataEndpoint } from '../../src/contract/notice.ts'
import { askGood, bad } from '../harness/ask.ts'
import { createMember, type Member } from '../harness/member.ts'
import { type Answer, newAddress } from '../harness/visitor.ts'

/** Wrong path parameters and query strings for every endpoint of the contract that has any. */
const own = ENDPOINTS.filter(({ access }) => access !== 'provider')
const namesIn = (schema: Endpoint['params']) => Object.keys(inputSchema(schema).properties ?? {})

const PLACES = own.flatMap((endpoint) =>
  namesIn(endpoint.params).map((name) => ({ endpoint, id: endpoint.id, name })),
)
const FIELDS = own
  .filter((endpoint) => redirectOf(endpoint) === null)
  .flatMap((endpoint) =>
    namesIn(endpoint.query).map((name) => ({ endpoint, id: endpoint.id, name })),
  )
const WALKED = own.filter((endpoint) => redirectOf(endpoint) !== null)
const READ = own.filter((endpoint) => endpoint.method === 'GET' && redirectOf(endpoint) === null)

const WRONG = {
  'of nobody': 'pur_00000000000000000000000000',
  'in capitals': 'PUR_00000000000000000000000000',
  'a number': '12',
  negative: '-1',
  broken: '1.5',
  'no number': 'NaN',
  'an object': '[object Object]',
  nothing: ' ',
  'too long': 'a'.repeat(4_000),
  'a way out': '../../auth/me',
  'with a NUL': 'a\u0000b',
  'SQL of its own': "' OR 1=1 --",
  'no ASCII': 'ａ🙂',
} as const
const wrongValues = Object.entries(WRONG)

test('the lists of endpoints with parameters, queries and redirects are not empty', () => {
  expect(PLACES.length).toBeGreaterThan(5)
  expect(FIELDS.length).toBeGreaterThan(5)
  expect(WALKED.length).toBeGreaterThan(2)
})

test.each(PLACES)('$id refuses a wrong {$name} and changes nothing', async ({ endpoint }) => {
  const member = await createMember({ hasPlan: true })
  const before = await recordOf(member)
  const fills = wrongValues.map(([what, value]) => [what, encodeURIComponent(value)] as const)
  const tries = [...fills, ['a broken escape', '%E0%A4%A'] as const].map(async ([what, value]) => {
    const path = endpoint.path.replaceAll(/\{\w+\}/g, () => value)
    expectRefusal(what, await send(member, endpoint, path))
  })
  await Promise.all(tries)
  expect(await recordOf(member)).toBe(before)
})

test.each(FIELDS)('$id refuses a wrong ?$name= and names the field', async ({ endpoint, name }) => {
  const member = await createMember({ hasPlan: true })
  const refuses = async (what: string, query: string) => {
    expectRefusal(what, await send(member, endpoint, `${endpoint.path}?${query}`), name)
  }
  const unfit = wrongValues.filter(
    ([, value]) => !endpoint.query.safeParse({ [name]: value }).success,
  )
  const { [name]: fit } = exampleOf(endpoint).query ?? {}
  await Promise.all([
    ...unfit.map(([what, value]) => refuses(what, asQuery({ [name]: value }))),
    refuses('too long', asQuery({ [name]: WRONG['too long'] })),
    refuses('no word of ours', asQuery({ [name]: 'nonsense' })),
    refuses('said twice', `${asQuery({ [name]: fit ?? 1 })}&${asQuery({ [name]: fit ?? 2 })}`),
  ])
})

test.each(WALKED)('$id redirects a malformed query to a page of this site', async (endpoint) => {
  const member = await createMember()
  const leads = async (name: string, value: string) => {
    const query = `${asQuery({ [name]: value })}&${asQuery({ [name]: value })}`
    const { status, headers } = await send(member, endpoint, `${endpoint.path}?${query}`)
    expect(status).toBe(redirectOf(endpoint)?.status)
    expect(headers.get('Location')).toMatch(
      /^(\/login\?problem=\w+|\/subscription\/cancel\?reason=\w+|http:\/\/localhost:\d+\/.*)$/,
    )
  }
  const names = namesIn(endpoint.query)
  await Promise.all(names.flatMap((name) => wrongValues.map(([, value]) => leads(name, value))))
})

test.each(READ)('$id ignores unknown query fields', async (endpoint) => {
  const member = await createMember()
  const path = endpoint.path.replaceAll(/\{\w+\}/g, 'x')
  const unknown = '?userId=usr_x&amount=1&__proto__=1&constructor=2&toString=3'
  const plain = await send(member, endpoint, path)
  expect((await send(member, endpoint, path + unknown)).status).toBe(plain.status)
})

/** Sends each call from a new IP address, so that no rate limit is reached. */
function send(member: Member, endpoint: Endpoint, path: string): Promise<Answer> {
  const { body } = exampleOf(endpoint)
  return member.call(path, {
    method: endpoint.method,
    headers: { 'cf-connecting-ip': newAddress() },
    ...(body === undefined ? {} : { json: body }),
  })
}

function expectRefusal(what: string, answer: Answer, field?: string) {
  const { status, code, message, errors = [] } = bad(answer)
  expect([400, 404], `${what} answered ${status} ${code}`).toContain(status)
  expect(message).not.toBe('')
  if (field === undefined) return
  expect({ what, code }).toEqual({ what, code: 'VALIDATION_FAILED' })
  expect(errors.map(({ path }) => path.split('.')[0])).toContain(field)
}

function asQuery(fields: Record<string, unknown>): string {
  return new URLSearchParams(
    Object.entries(fields).map(([name, value]) => [name, String(value)]),
  ).toString()
}

/** All data stored about a member, without what exporting it writes. */
async function recordOf(member: Member): Promise<string> {
  const { data } = await askGood(member, exportDataEndpoint)
  const isOfLooking = (row: unknown) => JSON.stringify(row).includes('"data_exported"')
  return JSON.stringify(data, (key, value: unknown) => {
    if (key === 'lastUsedAt') return null
    return Array.isArray(value) ? value.filter((row) => !isOfLooking(row)) : value
  })
}
