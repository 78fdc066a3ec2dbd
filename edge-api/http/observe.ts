import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from './env.ts'

/**
 * One log line a request, with the route as the contract writes it (the address itself may hold a
 * secret), and the database round trips in `Server-Timing`.
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
