import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from './env.ts'
import { RateWatch } from './watch-rates.ts'
import { keyedHash } from '../domain/keyed-hash.ts'

/** Of the hash of a network: enough to tell networks apart. */
const NETWORK_CHARACTERS = 12

/**
 * Makes the middleware that logs one line for each request, with the route's pattern because the URL itself can contain a
 * secret, and of a refused one a keyed hash of the network it came from, watches the rates of refusals and faults, and reports the database round trips in `Server-Timing`.
 */
export function observe(): MiddlewareHandler<AppEnv> {
  const rates = new RateWatch()
  return async (c, next) => {
    const startedAt = performance.now()
    c.set('route', `${c.req.method} (unknown)`)
    await next()
    const { db, log, now, visitor } = c.env.ctx
    const requestId = c.get('requestId')
    const { status, headers } = c.res
    headers.set('X-Request-Id', requestId)
    const trips = db.trips()
    const ms = Math.round(performance.now() - startedAt)
    // An unknown path and one that does not exist for this caller answer alike.
    if (status !== 404) headers.set('Server-Timing', `db;desc="trips=${trips}", total;dur=${ms}`)
    log.info('request', { requestId, route: c.get('route'), status, ms, trips })
    if (status === 401) {
      const network = (await keyedHash(c.env.ctx, visitor.ipPrefix)).slice(0, NETWORK_CHARACTERS)
      log.info('unauthenticated', { requestId, route: c.get('route'), network })
    }
    rates.count(status, now, log)
  }
}
