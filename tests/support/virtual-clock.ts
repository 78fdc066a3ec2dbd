import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../src/stores/environment.ts'

/** A clock that moves when it is told to. */
export function createVirtualClock(startMs = Date.parse('2026-11-21T10:00:00Z')) {
  let now = startMs
  let waiting: { at: number; run: () => void }[] = []

  const clock: Clock = {
    now: () => now,
    after: (ms, run) => {
      const timer = { at: now + ms, run }
      waiting.push(timer)
      return () => {
        waiting = waiting.filter((other) => other !== timer)
      }
    },
  }

  /** Runs what is due on the way, in its order. What calls the server in between is waited for with `settled`. */
  async function advance(ms: number) {
    const end = now + ms
    for (;;) {
      const next = waiting.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      waiting = waiting.filter((other) => other !== next)
      now = Math.max(now, next.at)
      next.run()
      await setImmediate()
    }
    now = end
  }

  return { clock, advance }
}
