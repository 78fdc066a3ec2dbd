export interface Timers {
  now: () => number
  after: (ms: number, call: () => void) => () => void
}

/** The browser's clock. */
export const browserTimers: Timers = {
  now: () => performance.now(),
  after: (ms, call) => {
    const id = setTimeout(call, ms)
    return () => {
      clearTimeout(id)
    }
  },
}

export interface Ticker {
  /** Continues with the rest of the interval. */
  run: () => void
  /** Pauses and keeps the rest of the interval. */
  hold: () => void
}

interface Options {
  everyMs: number
  onTick: () => void
  timers: Timers
}

/** Calls `onTick` every `everyMs` milliseconds, not counting paused time. Starts paused. */
export function createTicker({ everyMs, onTick, timers }: Options): Ticker {
  let leftMs = everyMs
  let startedAt = 0
  let cancel: (() => void) | null = null

  function hold() {
    if (cancel === null) return
    cancel()
    cancel = null
    leftMs = Math.max(0, leftMs - (timers.now() - startedAt))
  }

  function run() {
    if (cancel !== null) return
    startedAt = timers.now()
    cancel = timers.after(leftMs, () => {
      cancel = null
      leftMs = everyMs
      run()
      onTick()
    })
  }

  return { run, hold }
}
