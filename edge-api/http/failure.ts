import type { Context as HonoContext, Hono, MiddlewareHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { methodNotAllowed } from 'hono/method-not-allowed'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ERROR_STATUS, type ErrorCode } from '../../src/contract/errors.ts'
import { SERVER } from '../../src/contract/messages.ts'
import { databaseFault } from '../domain/database-fault.ts'
import { ApiError, type ApiErrorDetail } from '../domain/api-error.ts'
import type { AppEnv } from './env.ts'

/** A Hono context of any app that gives each request an id. */
type Answering = Pick<HonoContext, 'header' | 'json'> & { get: (key: 'requestId') => string }

/** Answers with the failure envelope: the only shape of every rejection and fault. */
export function fail(
  c: Answering,
  code: ErrorCode,
  message: string,
  { errors, retryAfterSeconds, extra }: ApiErrorDetail = {},
): Response {
  const status: ContentfulStatusCode = ERROR_STATUS[code]
  if (retryAfterSeconds !== undefined) c.header('Retry-After', String(retryAfterSeconds))
  if (code === 'UNAUTHENTICATED') c.header('WWW-Authenticate', 'Bearer')
  const known = { success: false, code, message, ...(errors === undefined ? {} : { errors }) }
  return c.json({ ...known, ...extra, requestId: c.get('requestId') }, status)
}

/** Turns every error into the failure envelope. The message of an unexpected error is logged and never sent. */
export function handleError(error: Error, c: HonoContext<AppEnv>): Response {
  if (error instanceof ApiError) return fail(c, error.code, error.message, error.detail)
  // The validator's only one: the body is no JSON.
  if (error instanceof HTTPException && error.status === 400) {
    const errors = [{ path: '', msg: SERVER.malformedJson }]
    return fail(c, 'MALFORMED_JSON', SERVER.malformedJson, { errors })
  }
  const fault = databaseFault(error)
  if (fault === 'busy') {
    return fail(c, 'OVERLOADED', SERVER.overloaded, { retryAfterSeconds: 5 })
  }
  const fields = { requestId: c.get('requestId'), route: c.get('route') }
  c.env.ctx.log.error('request failed', error, fields)
  if (fault === 'unavailable') {
    return fail(c, 'DATABASE_UNAVAILABLE', SERVER.database, { retryAfterSeconds: 30 })
  }
  return fail(c, 'INTERNAL', SERVER.internal)
}

/** Answers a known path with another method with 405 and `Allow`. */
export function rejectOtherMethods(app: Hono<AppEnv>): MiddlewareHandler<AppEnv> {
  return methodNotAllowed({
    app,
    onMethodNotAllowed: (c, methods) => {
      c.header('Allow', methods.join(', '))
      return fail(c, 'METHOD_NOT_ALLOWED', SERVER.method)
    },
  })
}

/** Answers an unknown path of the API with 404, and anything else with a redirect to the landing page. */
export function mountUnknown(app: Hono<AppEnv>): void {
  app.all('/api/*', (c) => fail(c, 'NOT_FOUND', SERVER.notFound))
  app.notFound((c) => c.redirect('/', 302))
}
