import { bodyLimit } from 'hono/body-limit'
import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { type Endpoint, Nothing } from '../../src/contract/endpoint.ts'
import { BODY_MAX_BYTES } from '../../src/contract/limits.ts'
import { SERVER } from '../../src/contract/messages.ts'
import { Refusal } from '../domain/refusal.ts'
import type { AppEnv } from './env.ts'
import { fail } from './failure.ts'
import { failInvalid, validate } from './valid-input.ts'

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

/**
 * Validates the body. An empty body counts as a form without fields, whatever its media type. In JSON, fields that the
 * contract does not name are refused, so that callers learn of a misspelt one. A call without a body ignores all of them, and so
 * do those of OAuth (RFC 6749 §3.2).
 */
export function validateBody({ body, takesForm }: Endpoint): MiddlewareHandler<AppEnv> {
  const asForm = validate('form', body)
  const isStrict = takesForm !== true && body !== Nothing
  return async (c, next) => {
    const text = await c.req.text()
    if (text === '' || isForm(c)) return asForm(c, next)
    const sent = parseJson(text)
    const result = await body.safeParseAsync(sent)
    if (!result.success) return failInvalid(c, result.error)
    const known = Object(result.data)
    if (isStrict) refuseUnknown(sent, known)
    c.req.addValidatedData('json', known)
    return next()
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new HTTPException(400, { cause })
  }
}

/** `known` is the valid body, which has each field that the schema knows. */
function refuseUnknown(sent: unknown, known: object): void {
  const unknown = Object.keys(Object(sent)).filter((field) => !Object.hasOwn(known, field))
  if (unknown.length === 0) return
  const errors = unknown.slice(0, 100).map((field) => ({ path: field.slice(0, 200), msg: UNKNOWN }))
  throw new Refusal('VALIDATION_FAILED', SERVER.validation, { errors })
}

const UNKNOWN = 'There is no such field here. Please leave it out.'

function isForm(c: HonoContext): boolean {
  return hasType(c, 'application/x-www-form-urlencoded')
}

function hasType(c: HonoContext, type: string): boolean {
  const [named = ''] = (c.req.header('Content-Type') ?? '').split(';')
  return named.trim().toLowerCase() === type
}
