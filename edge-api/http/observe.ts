import type { MiddlewareHandler } from 'hono'
import type { Context } from '../domain/context.ts'
import { keyedHash } from '../domain/account/signed.ts'
import { minutes } from '../domain/time.ts'
import type { AppEnv } from './env.ts'

/** The length of a network's hash in the log: enough to tell networks apart. */
const NETWORK_CHARACTERS = 12

/**
 * Makes the middleware that logs one line for each request, watches the rates of refusals and faults, and reports the
 * database round trips in `Server-Timing`. The line has the route's pattern, because the URL can contain a secret, and for
 * a refused request a keyed hash of its network.
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

/**
 * How many answers of a kind one isolate may give within a minute before it logs an alert. Each isolate sees only a
 * part of a flood, so these figures are low for the whole site.
 */
const LIMITS = { '401': 60, '429': 60, '5xx': 20 } as const
type Kind = keyof typeof LIMITS

const WINDOW_MS = minutes(1)

/** Counts refusals and faults in one isolate, minute by minute, and logs one alert a minute for each kind over its limit. */
export class RateWatch {
  private startedAt = 0
  private counts = new Map<Kind, number>()

  /** Counts one answer with this status, given at `now` (milliseconds UTC). */
  count(status: number, now: number, log: Context['log']): void {
    const kind = kindOf(status)
    if (kind === null) return
    if (now - this.startedAt >= WINDOW_MS) {
      this.startedAt = now
      this.counts.clear()
    }
    const count = (this.counts.get(kind) ?? 0) + 1
    this.counts.set(kind, count)
    if (count === LIMITS[kind]) log.alert('many calls fail', { status: kind, count })
  }
}

function kindOf(status: number): Kind | null {
  if (status >= 500) return '5xx'
  if (status === 429) return '429'
  return status === 401 ? '401' : null
}
