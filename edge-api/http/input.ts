import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { type Endpoint, type FieldError, Nothing } from '../../src/contract/endpoint.ts'
import { BODY_MAX_BYTES } from '../../src/contract/limits.ts'
import { SERVER } from '../../src/contract/messages.ts'
import { IdempotencyKey } from '../../src/contract/purchase.ts'
import type { z } from '../../src/contract/zod.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Call } from '../domain/handler.ts'
import type { AppEnv } from './env.ts'
import { fail } from './failure.ts'

/** Answers 413 to a body over 64 KiB, or over the endpoint's own limit, without reading all of it. */
export function limitBody({ maxBytes = BODY_MAX_BYTES }: Pick<Endpoint, 'maxBytes'>) {
  return bodyLimit({
    maxSize: maxBytes,
    onError: (c) => fail(c, 'BODY_TOO_LARGE', SERVER.tooLarge),
  })
}

/** Answers 415 unless the body is JSON, or a form where the endpoint accepts one. An absent body is accepted. */
export function requireMediaType({ takesForm }: Endpoint): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const isFit = hasType(c, 'application/json') || (takesForm === true && isForm(c))
    // Transfer-Encoding overrides Content-Length (RFC 9112 §6.3).
    const isEmpty =
      c.req.header('Content-Length') === '0' && c.req.header('Transfer-Encoding') === undefined
    const hasBody = !isEmpty && c.req.raw.body !== null
    if (hasBody && !isFit) return fail(c, 'UNSUPPORTED_MEDIA_TYPE', SERVER.mediaType)
    return next()
  }
}

/** Whether the body is a form. */
function isForm(c: HonoContext): boolean {
  return hasType(c, 'application/x-www-form-urlencoded')
}

function hasType(c: HonoContext, type: string): boolean {
  const [named = ''] = (c.req.header('Content-Type') ?? '').split(';')
  return named.trim().toLowerCase() === type
}

/** The input of a call, as its schemas read it. VALIDATION_FAILED names each field that is wrong. */
export async function readInput<E extends Endpoint>(c: HonoContext, endpoint: E): Promise<Call<E>> {
  const { searchParams } = new URL(c.req.url)
  return {
    // No resource can have a malformed id: 404, as for any unknown one.
    params: read<E['params']>(endpoint.params, c.req.param(), notFound),
    query: read<E['query']>(endpoint.query, fieldsOf(searchParams)),
    body: await readBody(c, endpoint),
    idempotencyKey: readIdempotencyKey(c, endpoint),
  }
}

function read<Schema extends z.ZodType>(
  schema: Schema,
  sent: unknown,
  refusal = invalid,
): z.output<Schema> {
  const result = schema.safeParse(sent)
  if (result.success) return result.data
  throw refusal(result.error)
}

const notFound = () => new Refusal('NOT_FOUND', SERVER.notFound)

const invalid = (error: z.core.$ZodError) => refuseFields(toFieldErrors(error))

const refuseFields = (errors: FieldError[]) =>
  new Refusal('VALIDATION_FAILED', SERVER.validation, { errors })

/** The fields of a query or a form. One that is sent twice is a list, which fits no schema. */
function fieldsOf(sent: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(sent.keys())].map((name) => {
      const [value = '', ...others] = sent.getAll(name)
      return [name, others.length === 0 ? value : [value, ...others]]
    }),
  )
}

export type InBody = Pick<Endpoint, 'method' | 'body' | 'takesForm'>

/**
 * The body. An empty one counts as a form without fields, whatever its media type. In JSON, fields that the contract does
 * not name are refused, so that callers learn of a misspelt one. A call without a body ignores all of them, and so do those
 * of OAuth (RFC 6749 §3.2).
 */
export async function readBody<E extends InBody>(
  c: HonoContext,
  { method, body, takesForm }: E,
): Promise<z.output<E['body']>> {
  const text = method === 'GET' ? '' : await c.req.text()
  if (text === '' || isForm(c)) return read<E['body']>(body, fieldsOf(new URLSearchParams(text)))
  const sent = parseJson(text)
  const known = read<E['body']>(body, sent)
  if (takesForm !== true && body !== Nothing) refuseUnknown(Object(sent), Object(known))
  return known
}

/** The value of a JSON text. MALFORMED_JSON when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const errors = [{ path: '', msg: SERVER.malformedJson }]
    throw new Refusal('MALFORMED_JSON', SERVER.malformedJson, { errors })
  }
}

const UNKNOWN = 'There is no such field here. Please leave it out.'

/** `known` is the valid body, which has each field that the schema knows. */
function refuseUnknown(sent: object, known: object): void {
  const unknown = Object.keys(sent).filter((field) => !Object.hasOwn(known, field))
  if (unknown.length === 0) return
  throw refuseFields(
    unknown.slice(0, 100).map((field) => ({ path: field.slice(0, 200), msg: UNKNOWN })),
  )
}

/** The `Idempotency-Key` header, or null when it is absent or the endpoint does not honour it. */
function readIdempotencyKey(c: HonoContext, endpoint: Endpoint): string | null {
  const header = c.req.header('Idempotency-Key')
  if (header === undefined || endpoint.idempotent !== true) return null
  const parsed = IdempotencyKey.safeParse(header)
  if (parsed.success) return parsed.data
  throw refuseFields([
    { path: 'Idempotency-Key', msg: 'Use 1 to 100 printable ASCII characters without blanks' },
  ])
}

function toFieldErrors(error: z.core.$ZodError): FieldError[] {
  return error.issues
    .flatMap(singleIssues)
    .slice(0, 100)
    .map((issue) => ({ path: issue.path.join('.'), msg: issue.message.slice(0, 500) }))
}

/** For a union, the issues of the branch that has the fewest. */
function singleIssues(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.path.length > 0) return [issue]
  const [nearest = []] = issue.errors.toSorted((one, other) => one.length - other.length)
  return nearest.length === 0 ? [issue] : nearest
}
