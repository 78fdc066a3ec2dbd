import { expect, test } from 'vitest'
import { ENDPOINTS } from './endpoints.ts'
import { IdempotencyKey } from './purchase.ts'
import { z } from './zod.ts'

type Schema = z.core.JSONSchema.BaseSchema

/** The paths of a schema that have no upper bound: strings, lists, records and numbers. */
function unbounded(schema: Schema | boolean, path: string): string[] {
  if (typeof schema === 'boolean') return [`${path} (anything)`]
  const { type, anyOf, oneOf, allOf, properties = {}, items, additionalProperties } = schema
  const choices = anyOf ?? oneOf ?? allOf
  if (choices) return choices.flatMap((choice) => unbounded(choice, path))
  if (schema.const !== undefined || schema.enum !== undefined) return []
  if (type === 'string') return schema.maxLength === undefined ? [`${path} (string)`] : []
  if (type === 'number' || type === 'integer') return boundsOfNumber(schema, path)
  if (type === 'boolean' || type === 'null') return []
  if (type === 'array') {
    const own = schema.maxItems === undefined ? [`${path} (list)`] : []
    const inner = Array.isArray(items) ? [] : unbounded(items ?? true, `${path}[]`)
    return [...own, ...inner]
  }
  if (type === 'object') {
    const open = typeof additionalProperties === 'object' ? [`${path} (record)`] : []
    const fields = Object.entries(properties)
    return [...open, ...fields.flatMap(([name, field]) => unbounded(field, `${path}.${name}`))]
  }
  return [`${path} (anything)`]
}

function boundsOfNumber({ minimum, maximum }: Schema, path: string): string[] {
  const isOpen =
    minimum === undefined ||
    maximum === undefined ||
    minimum <= Number.MIN_SAFE_INTEGER ||
    maximum >= Number.MAX_SAFE_INTEGER
  return isOpen ? [`${path} (number)`] : []
}

function walk(schema: z.ZodType, path: string): string[] {
  return unbounded(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), path)
}

const own = ENDPOINTS.filter(({ access }) => access !== 'provider')

test.each(own)('every string, list and number that $id takes has a bound', (endpoint) => {
  expect(walk(endpoint.params, 'params')).toEqual([])
  expect(walk(endpoint.query, 'query')).toEqual([])
  expect(walk(endpoint.body, 'body')).toEqual([])
})

test('the idempotency key has a bound', () => {
  expect(walk(IdempotencyKey, 'Idempotency-Key')).toEqual([])
})

test('the check finds what has no bound', () => {
  const schema = z.object({
    name: z.string(),
    tags: z.array(z.string().max(5)),
    more: z.record(z.string().max(3), z.string().max(3)),
    count: z.int(),
    either: z.union([z.literal(''), z.url()]),
    anything: z.unknown(),
  })
  expect(walk(schema, 'body')).toEqual([
    'body.name (string)',
    'body.tags (list)',
    'body.more (record)',
    'body.count (number)',
    'body.either (string)',
    'body.anything (anything)',
  ])
})
