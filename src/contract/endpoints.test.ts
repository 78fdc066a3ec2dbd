import { expect, test } from 'vitest'
import { exampleOf } from '../../site/openapi/examples.ts'
import type { Endpoint } from './endpoint.ts'
import { ENDPOINTS } from './endpoints.ts'
import { IdempotencyKey } from './purchase.ts'
import { z } from './zod.ts'

test('no two endpoints share an id, or a method and path', () => {
  const ids = ENDPOINTS.map(({ id }) => id)
  const addresses = ENDPOINTS.map(({ method, path }) => `${method} ${path}`)
  expect(new Set(ids).size).toBe(ids.length)
  expect(new Set(addresses).size).toBe(addresses.length)
})

test.each(ENDPOINTS)('the path of $id names exactly its parameters', (endpoint) => {
  const named = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const { params = {} } = exampleOf(endpoint)
  expect(Object.keys(params)).toEqual(named)
})

test.each(ENDPOINTS)(
  'parsing the parsed input and answer of $id changes nothing, and its query may have more fields',
  (endpoint) => {
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
    expect(endpoint.query.safeParse({ ...query, unknown: '1' }).success).toBe(true)
  },
)

test('only the webhook is called by the payment provider', () => {
  const paths = ENDPOINTS.filter(({ access }) => access === 'provider').map(({ path }) => path)
  expect(paths).toEqual(['/api/webhooks/razorpay'])
})

test('calls that check a secret are limited as a sign-in is, and every other that leaves or costs something is limited', () => {
  const idsOf = (isMeant: (endpoint: Endpoint) => boolean) =>
    ENDPOINTS.filter(isMeant)
      .map(({ id }) => id)
      .toSorted()
  expect(idsOf(({ limit }) => limit === 'signIn')).toEqual([
    ...['addPasskey', 'addTotp', 'changePassword', 'deleteAccount', 'login', 'passkeySignIn'],
    ...['secondStep', 'stepUp'],
  ])
  // What these change can be undone only by a call that is limited, or not at all. Razorpay signs what it sends.
  expect(idsOf(({ method, limit }) => method !== 'GET' && limit === undefined)).toEqual([
    ...['logout', 'razorpayWebhook', 'removePasskey', 'removeTotp', 'startPasskey', 'startTotp'],
  ])
  expect(idsOf(({ method, limit }) => method === 'GET' && limit !== undefined)).toEqual([
    ...['checkResetLink', 'deviceRequest', 'exportData', 'googleCallback', 'googleStart', 'health'],
    ...['ledgerFile', 'ownSubmissions', 'passkeyChallenge', 'paymentLinkCallback', 'statement'],
    'verifyEmail',
  ])
})

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

test.each(own)('every string, list and number of the input of $id has a bound', (endpoint) => {
  expect(walk(endpoint.params, 'params')).toEqual([])
  expect(walk(endpoint.query, 'query')).toEqual([])
  expect(walk(endpoint.body, 'body')).toEqual([])
})

/** The objects inside a body that accept fields they do not name. The Worker checks the body itself. */
function lenient(schema: Schema | boolean, path: string): string[] {
  if (typeof schema === 'boolean') return []
  const { anyOf, oneOf, allOf, properties = {}, items, type, additionalProperties } = schema
  const choices = (anyOf ?? oneOf ?? allOf ?? []).flatMap((choice) => lenient(choice, path))
  const inList = Array.isArray(items) ? [] : lenient(items ?? true, `${path}[]`)
  const own = type === 'object' && path !== '' && additionalProperties !== false ? [path] : []
  const within = Object.entries(properties).flatMap(([name, field]) =>
    lenient(field, `${path}.${name}`),
  )
  return [...choices, ...inList, ...own, ...within]
}

test.each(own)(
  'no part of the body of $id ignores unknown fields, or browsers add to it',
  ({ body }) => {
    const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })
    // Browsers add fields of their own to a passkey's answer.
    expect(lenient(schema, '').filter((path) => !path.includes('.credential'))).toEqual([])
  },
)

test('the idempotency key has a bound', () => {
  expect(walk(IdempotencyKey, 'Idempotency-Key')).toEqual([])
})

test.each([[''], ['a b'], ['schlüssel'], ['a'.repeat(101)]])(
  'an idempotency key of %j is rejected',
  (key) => {
    expect(IdempotencyKey.safeParse(key).success).toBe(false)
  },
)
