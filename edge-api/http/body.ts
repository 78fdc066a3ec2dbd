import { bodyLimit } from 'hono/body-limit'
import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { BODY_MAX_BYTES } from '../../src/contract/limits.ts'
import { SERVER } from '../../src/contract/messages.ts'
import type { AppEnv } from './env.ts'
import { fail } from './failure.ts'
import { validate } from './valid-input.ts'

/** Answers 413 to a body over 64 KiB without reading all of it. */
export const limitBody: MiddlewareHandler<AppEnv> = bodyLimit({
  maxSize: BODY_MAX_BYTES,
  onError: (c) => fail(c, 'BODY_TOO_LARGE', SERVER.tooLarge),
})

/** Answers 415 unless the body is JSON, or a form where the endpoint accepts one. An absent body is accepted. */
export function requireMediaType({ takesForm }: Endpoint): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const isFit = hasType(c, 'application/json') || (takesForm === true && isForm(c))
    const hasBody = c.req.header('Content-Length') !== '0' && c.req.raw.body !== null
    if (hasBody && !isFit) return fail(c, 'UNSUPPORTED_MEDIA_TYPE', SERVER.mediaType)
    return next()
  }
}

/** Validates the body. An empty body counts as a form without fields, whatever its media type. */
export function validateBody({ body }: Endpoint): MiddlewareHandler<AppEnv> {
  const asJson = validate('json', body)
  const asForm = validate('form', body)
  return async (c, next) => {
    const isOther = isForm(c) || (await c.req.text()) === ''
    return isOther ? asForm(c, next) : asJson(c, next)
  }
}

function isForm(c: HonoContext): boolean {
  return hasType(c, 'application/x-www-form-urlencoded')
}

function hasType(c: HonoContext, type: string): boolean {
  const [named = ''] = (c.req.header('Content-Type') ?? '').split(';')
  return named.trim().toLowerCase() === type
}
