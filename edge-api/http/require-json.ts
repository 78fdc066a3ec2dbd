import { bodyLimit } from 'hono/body-limit'
import type { MiddlewareHandler } from 'hono'
import { BODY_MAX_BYTES } from '../../src/contract/limits.ts'
import { SERVER } from '../../src/contract/messages.ts'
import type { AppEnv } from './env.ts'
import { fail } from './failure.ts'

/** Refuses bodies over 64 KiB before they are read to their end. */
export const limitBody: MiddlewareHandler<AppEnv> = bodyLimit({
  maxSize: BODY_MAX_BYTES,
  onError: (c) => fail(c, 'BODY_TOO_LARGE', SERVER.tooLarge),
})

/** A body, where there is one, is JSON. A call that takes no body needs none. */
export const requireJson: MiddlewareHandler<AppEnv> = async (c, next) => {
  const type = c.req.header('Content-Type')
  const isJson = type !== undefined && /^application\/json\s*(;|$)/i.test(type)
  const hasBody = c.req.header('Content-Length') !== '0' && c.req.raw.body !== null
  if (hasBody && !isJson) return fail(c, 'UNSUPPORTED_MEDIA_TYPE', SERVER.mediaType)
  return next()
}
