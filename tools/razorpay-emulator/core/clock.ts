/** Time in milliseconds since 1970. `wake` calls back once when `atMs` has come; the answer cancels it. */
export interface Clock {
  now(): number
  moveTo(ms: number): void
  wake(atMs: number, callback: () => void): () => void
}

/** A clock that stands still until it is moved. */
export function manualClock(startMs = 1_790_000_000_000): Clock {
  let current = startMs
  return {
    now: () => current,
    moveTo(ms) {
      current = Math.max(current, ms)
    },
    wake: () => () => undefined,
  }
}

const longestTimeoutMs = 2 ** 31 - 1

/** Real time, which can be moved ahead. It never runs backwards. */
export function systemClock(realNow: () => number = Date.now): Clock {
  let aheadMs = 0
  const now = () => realNow() + aheadMs
  return {
    now,
    moveTo(ms) {
      aheadMs += Math.max(0, ms - now())
    },
    wake(atMs, callback) {
      const waitMs = Math.min(Math.max(0, atMs - now()), longestTimeoutMs)
      const timer = setTimeout(callback, waitMs)
      return () => {
        clearTimeout(timer)
      }
    },
  }
}
