import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { BODY_MAX_BYTES } from '../../src/contract/limits.ts'
import { SERVER } from '../../src/contract/messages.ts'
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
export function isForm(c: HonoContext): boolean {
  return hasType(c, 'application/x-www-form-urlencoded')
}

function hasType(c: HonoContext, type: string): boolean {
  const [named = ''] = (c.req.header('Content-Type') ?? '').split(';')
  return named.trim().toLowerCase() === type
}
