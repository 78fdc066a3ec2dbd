import { expect, test } from 'vitest'
import { createTicker, type Timers } from './ticker.ts'

/** A clock that the test moves. */
function handClock() {
  let now = 0
  let due: { at: number; call: () => void } | null = null
  const timers: Timers = {
    now: () => now,
    after: (ms, call) => {
      const mine = { at: now + ms, call }
      due = mine
      return () => {
        if (due === mine) due = null
      }
    },
  }
  const pass = (ms: number) => {
    const end = now + ms
    for (let next = due; next !== null && next.at <= end; next = due) {
      due = null
      now = next.at
      next.call()
    }
    now = end
  }
  return { timers, pass }
}

function tickerOf(everyMs: number) {
  const clock = handClock()
  const ticks: number[] = []
  const ticker = createTicker({
    everyMs,
    timers: clock.timers,
    onTick: () => ticks.push(clock.timers.now()),
  })
  return { ...clock, ticks, ticker }
}

test('ticks after every interval', () => {
  const { ticker, ticks, pass } = tickerOf(3_000)
  ticker.run()
  pass(9_500)
  expect(ticks).toEqual([3_000, 6_000, 9_000])
})

test('paused time does not count, and the rest of the interval is kept', () => {
  const { ticker, ticks, pass } = tickerOf(20_000)
  ticker.run()
  pass(15_000)
  ticker.hold()
  pass(60_000)
  ticker.run()
  pass(4_999)
  expect(ticks).toEqual([])
  pass(1)
  expect(ticks).toEqual([80_000])
})
