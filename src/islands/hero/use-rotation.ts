import { useEffect, useRef, useState } from 'react'
import { advance, choose, startRotation, stop } from '../../lib/rotation.ts'
import { browserTimers, createTicker } from '../../lib/ticker.ts'

/** A rotation that advances every `turnMs` milliseconds while `isHeld` is false, until the user chooses. */
export function useRotation(count: number, turnMs: number, isHeld: boolean) {
  const [rotation, setRotation] = useState(() => startRotation(count, true))
  const [ticker] = useState(() =>
    createTicker({
      everyMs: turnMs,
      timers: browserTimers,
      onTick: () => {
        setRotation(advance)
      },
    }),
  )
  const runs = rotation.isAuto && !isHeld
  const runsBefore = useRef(false)

  useEffect(() => {
    if (runs === runsBefore.current) return
    runsBefore.current = runs
    if (runs) ticker.run()
    else ticker.hold()
  }, [runs, ticker])

  return {
    rotation,
    show: (index: number) => {
      setRotation((now) => choose(now, index))
    },
    stopRotation: () => {
      setRotation(stop)
    },
  }
}
