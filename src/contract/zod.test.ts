import { config } from 'zod'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exampleOf } from '../../site/openapi/examples.ts'
import type { Endpoint } from './endpoint.ts'
import { ENDPOINTS } from './endpoints.ts'
import { IdempotencyKey, LinkProof } from './purchase.ts'
import { recordUsageSessionEndpoint } from './report-usage.ts'
import { z } from './zod.ts'

// Replaces the library's own messages, so that the tests can find them.
const LIBRARY = 'said by the library'
const before = config().localeError
beforeAll(() => {
  config({ localeError: () => LIBRARY })
})
afterAll(() => {
  config({ localeError: before })
})

const TOO_LONG = 'x'.repeat(100_001)
const WRONG = [
  undefined,
  null,
  true,
  7,
  -1,
  1.5,
  1e300,
  Number.NaN,
  '',
  'wrong',
  '\u0000',
  TOO_LONG,
  [],
  {},
]

type Fields = Record<string, unknown>

/** The fields of a schema; of its valid example when it has several shapes. */
function fieldsOf(schema: z.ZodType, good: Fields): string[] {
  return Object.keys(toJson(schema).properties ?? good)
}

function toJson(schema: z.ZodType): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
}

/** The messages for every wrong value of every field, as [field, message]. */
function messagesOf(schema: z.ZodType, good: Fields): [string, string][] {
  return fieldsOf(schema, good).flatMap((field) =>
    WRONG.flatMap((value) => {
      const issues = schema.safeParse({ ...good, [field]: value }).error?.issues ?? []
      return issues.map(({ path, message }): [string, string] => [path.join('.'), message])
    }),
  )
}

/** Sign-in ignores an invalid page to return to. */
const NEVER_REJECTED = ['next']

function expectOwnSentences(schema: z.ZodType, good: Fields): void {
  const all = messagesOf(schema, good)
  for (const [, sentence] of all) {
    expect(sentence).not.toContain(LIBRARY)
    expect(sentence).toMatch(/^\w+ [\w" ,./:'-]+/)
  }
  const refused = new Set(all.map(([field]) => field))
  for (const field of fieldsOf(schema, good)) {
    if (!NEVER_REJECTED.includes(field)) expect([...refused]).toContain(field)
  }
}

const parts = (endpoint: Endpoint): [z.ZodType, Fields][] => {
  const { params = {}, query = {}, body } = exampleOf(endpoint)
  return [
    [endpoint.params, params],
    [endpoint.query, query],
    [endpoint.body, z.record(z.string(), z.unknown()).parse(body ?? {})],
  ]
}

const own = ENDPOINTS.filter(({ access }) => access !== 'provider')

test.each(own)('$id has one of our messages for every wrong value', (endpoint) => {
  for (const [schema, good] of parts(endpoint)) expectOwnSentences(schema, good)
})

test('inputs of another shape have our messages too', () => {
  expectOwnSentences(LinkProof, {})
  const end = { event: 'end', sessionId: 'meeting-1', succeeded: true, secondsSaved: 60 }
  expectOwnSentences(recordUsageSessionEndpoint.body, end)
})

test.each([[null], [[]], ['text'], [7]])(
  'the message for the body %j says what to send instead',
  (body) => {
    const issues = ENDPOINTS.find(({ id }) => id === 'login')?.body.safeParse(body).error?.issues
    expect(issues?.map(({ message }) => message)).toEqual(['Please send a JSON object'])
  },
)

test.each([
  ['Please send one of: USD, INR', 'EUR', z.enum(['USD', 'INR'])],
  ['Please send a number up to 90', 91, z.int().min(1).max(90)],
  ['Please send a number from 1', 0, z.int().min(1).max(90)],
  ['Please send a whole number', 1.5, z.int()],
  ['Please use at most 5 characters', 'too long', z.string().max(5)],
  ['Please use at least 5 characters', 'tiny', z.string().min(5)],
  ['Please send true or false', 'yes', z.boolean()],
  ['Please send a list', {}, z.array(z.int())],
  ['Please send a list of at most 2', [1, 2, 3], z.array(z.int()).max(2)],
  ['Please send a list of at least 1', [], z.array(z.int()).min(1)],
  ['Please fill this in', undefined, z.string()],
  ['Please use 1 to 100 printable ASCII characters without blanks', 'a b', IdempotencyKey],
])('the default message "%s"', (sentence, value, schema) => {
  expect(schema.safeParse(value).error?.issues.map(({ message }) => message)).toEqual([sentence])
})
