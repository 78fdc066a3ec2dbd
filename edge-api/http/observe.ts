import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from './env.ts'

/**
 * Logs one line for each request, with the route's pattern because the URL itself can contain a secret, and reports
 * the database round trips in `Server-Timing`.
 */
export const observe: MiddlewareHandler<AppEnv> = async (c, next) => {
  const startedAt = performance.now()
  c.set('route', `${c.req.method} (unknown)`)
  c.header('X-Request-Id', c.get('requestId'))
  await next()
  const { db, log } = c.env.ctx
  const trips = db.trips()
  const ms = Math.round(performance.now() - startedAt)
  c.header('Server-Timing', `db;desc="trips=${trips}", total;dur=${ms}`)
  log.info('request', {
    requestId: c.get('requestId'),
    route: c.get('route'),
    status: c.res.status,
    ms,
    trips,
  })
}
