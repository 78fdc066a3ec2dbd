import type { MiddlewareHandler } from 'hono'
import { keyedHash } from '../domain/crypto/sign.ts'
import type { AppEnv } from './env.ts'

/** The length of a network's hash in the log: enough to tell networks apart. */
const NETWORK_CHARACTERS = 12

/**
 * Makes the middleware that logs one line for each request and reports the database round trips in `Server-Timing`. The line
 * has the route's pattern, because the URL can contain a secret. A call without a session has a second line with a keyed hash
 * of its network.
 */
export function observe(): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const startedAt = performance.now()
    c.set('route', `${c.req.method} (unknown)`)
    await next()
    const { db, log, visitor } = c.env.ctx
    const requestId = c.get('requestId')
    const { status, headers } = c.res
    headers.set('X-Request-Id', requestId)
    const trips = db.roundTrips()
    const ms = Math.round(performance.now() - startedAt)
    // An unknown path and one that does not exist for this caller answer alike.
    if (status !== 404) headers.set('Server-Timing', `db;desc="trips=${trips}", total;dur=${ms}`)
    log.info('request', { requestId, route: c.get('route'), status, ms, roundTrips: trips })
    if (status === 401) {
      const network = (await keyedHash(c.env.ctx, visitor.ipPrefix)).slice(0, NETWORK_CHARACTERS)
      log.info('unauthenticated', { requestId, route: c.get('route'), network })
    }
  }
}
