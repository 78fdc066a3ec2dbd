import type { Context as HonoContext } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { SERVER } from '../../src/contract/messages.ts'
import { Refusal } from '../domain/refusal.ts'
import { databaseFault } from '../domain/database-fault.ts'
import type { AppEnv } from './env.ts'
import { fail } from './failure.ts'

/** Turns every error into the failure envelope. The message of an unexpected error is logged and never sent. */
export function handleError(error: Error, c: HonoContext<AppEnv>): Response {
  if (error instanceof Refusal) return fail(c, error.code, error.message, error.detail)
  if (error instanceof HTTPException && error.status === 400) {
    const errors = [{ path: '', msg: SERVER.malformedJson }]
    return fail(c, 'MALFORMED_JSON', SERVER.malformedJson, { errors })
  }
  const { log } = c.env.ctx
  const fields = { requestId: c.get('requestId'), route: c.get('route') }
  const fault = databaseFault(error)
  if (fault === 'busy') {
    return fail(c, 'OVERLOADED', SERVER.overloaded, { retryAfterSeconds: 5 })
  }
  log.error('request failed', error, fields)
  if (fault === 'unavailable') {
    return fail(c, 'DATABASE_UNAVAILABLE', SERVER.database, { retryAfterSeconds: 30 })
  }
  return fail(c, 'INTERNAL', SERVER.internal)
}
