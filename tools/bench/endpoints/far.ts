import { startFarLink } from '../../services/far-link.ts'
import { quantile } from '../figures.ts'
import { fire } from '../load.ts'
import type { Caller, Case, Side } from './cases.ts'
import { type Place, tripsIn } from './measure.ts'
import { shooter } from './shooter.ts'

/** How far a database on another continent is, in milliseconds to it and back. */
const FAR_MS = 80
/** How long one caller calls. */
const SERIES_MS = 2_000

/**
 * The median of each call, alone, when the database is far away, in milliseconds, and its round trips. The yardsticks do not
 * tell these, so they are as many as fit.
 */
export async function measureFar(
  cases: readonly [string, Case][],
  places: Record<Side, Place>,
  callers: readonly Caller[],
) {
  console.log(`\nwith ${FAR_MS} ms to the database and back`)
  const distances: Record<string, { p50: number; trips: number }> = {}
  for (const [name, one] of cases) {
    const { url } = places[one.side]
    const hits = await fire(url, shooter(one, callers), { connections: 1, ms: SERIES_MS })
    const times = hits.slice(1).map(({ ms }) => ms)
    const p50 = quantile(times, 0.5)
    const trips = tripsIn(hits) ?? Math.floor(p50 / FAR_MS)
    distances[name] = { p50, trips }
    console.log(
      `${name.padEnd(15)} ${p50.toFixed(1).padStart(8)} ms = ${trips} trips × ${FAR_MS} + ${(p50 - trips * FAR_MS).toFixed(1)}`,
    )
  }
  return distances
}

/** A way to the database on which what it answers takes long. */
export async function startFarDatabase(port: number) {
  const link = await startFarLink(port, FAR_MS)
  return { url: `http://127.0.0.1:${link.port}`, close: link.close }
}
