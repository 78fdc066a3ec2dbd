import type { Context } from '../domain/context.ts'
import { minutes } from '../domain/time.ts'

/**
 * How many answers of a kind one isolate may give within a minute before it logs an alert. Of a flood each isolate sees
 * only a part, so the figures are low for the whole site.
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
