import { zValidator } from '@hono/zod-validator'
import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { type Endpoint, type FieldError, Nothing } from '../../src/contract/endpoint.ts'
import { VALUE } from '../../src/contract/field-messages.ts'
import { BODY_MAX_BYTES } from '../../src/contract/limits.ts'
import { SERVER } from '../../src/contract/messages.ts'
import { IdempotencyKey } from '../../src/contract/purchase.ts'
import { z } from '../../src/contract/zod.ts'
import { ApiError } from '../domain/api-error.ts'
import type { AppEnv } from './env.ts'
import { fail } from './failure.ts'

/** Answers 413 to a body over 64 KiB, or over the endpoint's own limit, without reading all of it. */
export function limitBody({ maxBytes = BODY_MAX_BYTES }: Pick<Endpoint, 'maxBytes'>) {
  return bodyLimit({
    maxSize: maxBytes,
    onError: (c) => fail(c, 'BODY_TOO_LARGE', SERVER.tooLarge),
  })
}

/**
 * Answers 415 unless the body is JSON, or a form where the endpoint accepts one, in UTF-8 and not compressed; `Accept` and
 * `Accept-Encoding` say what is accepted (RFC 9110 §15.5.16). An absent body is accepted. MALFORMED_JSON when its bytes are
 * not UTF-8 (RFC 8259 §8.1): something else would be stored.
 */
export function requireMediaType({ takesForm }: Endpoint): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const isFit = hasType(c, 'application/json') || (takesForm === true && isForm(c))
    // Transfer-Encoding overrides Content-Length (RFC 9112 §6.3).
    const isEmpty =
      c.req.header('Content-Length') === '0' && c.req.header('Transfer-Encoding') === undefined
    const hasBody = !isEmpty && c.req.raw.body !== null
    if (!hasBody) return next()
    const charset = CHARSET.exec(c.req.header('Content-Type') ?? '')?.[1] ?? 'utf-8'
    const isPlain = /^(identity)?$/i.test(c.req.header('Content-Encoding') ?? '')
    if (!isFit || !isPlain || !/^utf-?8$/i.test(charset)) {
      c.header('Accept', 'application/json')
      c.header('Accept-Encoding', 'identity')
      return fail(c, 'UNSUPPORTED_MEDIA_TYPE', SERVER.mediaType)
    }
    if (!isUtf8(await c.req.arrayBuffer())) {
      const errors = [{ path: '', msg: SERVER.notUtf8 }]
      return fail(c, 'MALFORMED_JSON', SERVER.notUtf8, { errors })
    }
    return next()
  }
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i

function isUtf8(bytes: ArrayBuffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
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

type Part = 'param' | 'query' | 'json' | 'form'

/** Reads a part of a call. The body is in `json`, or else in `form`. */
type Reader = MiddlewareHandler<
  AppEnv,
  string,
  { in: Record<Part, NonNullable<unknown>>; out: Record<Part, unknown> }
>

/**
 * What reads the parts of a call, each with its schema. VALIDATION_FAILED names each field that is wrong, and MALFORMED_JSON
 * (`handleError`) says that the body is none. No resource can have a malformed id: 404, as for any unknown one.
 */
export const readParts = (endpoint: Endpoint): Reader[] => [
  zValidator('param', endpoint.params, ({ success }) => {
    if (!success) throw new ApiError('NOT_FOUND', SERVER.notFound)
  }),
  zValidator('query', endpoint.query, rejectFields),
  readBody(endpoint),
]

export type InBody = Pick<Endpoint, 'method' | 'body' | 'takesForm'>

/** Reads the body as JSON or as a form. An empty one counts as a form without fields, whatever its media type. */
function readBody(endpoint: InBody): Reader {
  const json: Reader = zValidator('json', endpoint.body, rejectFields, {
    validationFunction: (_, sent) => readStrictly(endpoint, sent),
  })
  const form: Reader = zValidator('form', endpoint.body, rejectFields)
  return async (c, next) => {
    const isEmpty = endpoint.method === 'GET' || (await c.req.text()) === ''
    const asForm = isForm(c) || (isEmpty && !hasType(c, 'multipart/form-data'))
    return asForm ? form(c, next) : json(c, next)
  }
}

const UNKNOWN = 'There is no such field here. Please leave it out.'

/**
 * A body in JSON, as its schema reads it. Fields that the contract does not name are rejected, so that callers learn of a
 * misspelt one. A call without a body ignores all of them, and so do those of OAuth (RFC 6749 §3.2).
 */
export function readStrictly({ body, takesForm }: InBody, sent: unknown) {
  const result = body.safeParse(sent)
  if (!result.success || takesForm === true || body === Nothing) return result
  const known: object = Object(result.data)
  const issues = Object.keys(Object(sent))
    .filter((field) => !Object.hasOwn(known, field))
    .map((field) => ({
      ...{ code: 'custom' as const, path: [field.slice(0, 200)], message: UNKNOWN },
      input: sent,
    }))
  return issues.length === 0 ? result : { success: false as const, error: new z.ZodError(issues) }
}

/** The `Idempotency-Key` header, or null when it is absent or the endpoint does not honour it. */
export function readIdempotencyKey(c: HonoContext, endpoint: Endpoint): string | null {
  const header = c.req.header('Idempotency-Key')
  if (header === undefined || endpoint.idempotent !== true) return null
  const parsed = IdempotencyKey.safeParse(header)
  if (parsed.success) return parsed.data
  throw invalid([{ path: 'Idempotency-Key', msg: VALUE.idempotencyKey }])
}

const invalid = (errors: FieldError[]) =>
  new ApiError('VALIDATION_FAILED', SERVER.validation, { errors })

/** Throws VALIDATION_FAILED for a part that its schema does not accept. */
function rejectFields(
  result: { success: true } | { success: false; error: z.core.$ZodError },
): void {
  if (!result.success) throw invalid(toFieldErrors(result.error))
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
