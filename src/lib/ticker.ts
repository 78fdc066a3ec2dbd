export interface Timers {
  now: () => number
  after: (ms: number, call: () => void) => () => void
}

/** The browser's clock; tests hand in their own. */
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
  /** Goes on with what was left of the present turn. */
  run: () => void
  /** Stops the clock; what is left of the turn is kept. */
  hold: () => void
  /** Begins the present turn anew; stays held if it was. */
  restart: () => void
}

interface Options {
  everyMs: number
  onTick: () => void
  timers: Timers
}

/** Calls `onTick` every `everyMs` of time that was not held. Starts held. */
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

  function restart() {
    const wasRunning = cancel !== null
    hold()
    leftMs = everyMs
    if (wasRunning) run()
  }

  return { run, hold, restart }
}
