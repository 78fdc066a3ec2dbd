import {
  type FocusEvent,
  type PointerEvent,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { wantsStillness } from '../../lib/stillness.ts'

interface Options {
  readonly count: number
  /** How many milliseconds each item stays. */
  readonly everyMs: number
  /** How many milliseconds the first item stays, if it has been shown for a while already. */
  readonly firstMs?: number
}

/**
 * Which of `count` items is visible. It advances automatically until the visitor chooses one, pauses while its frame is
 * hovered, focused or out of view, and stays still for visitors who prefer reduced motion or save data. Spread `frame`
 * over the element that holds the items and their controls.
 */
export function useRotation({ count, everyMs, firstMs = everyMs }: Options) {
  const ref = useRef<HTMLDivElement>(null)
  const isStill = useStillness()
  const [shown, setShown] = useState({ index: 0, isFirst: true })
  /** The visitor's choice; null before a choice. */
  const [asked, setAsked] = useState<boolean | null>(null)
  const [isPointedAt, setPointedAt] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const [isSeen, setSeen] = useState(true)
  const isAuto = asked ?? !isStill
  const isTurning = isAuto && isSeen && !isPointedAt && !isFocused

  useEffect(() => {
    const frame = ref.current
    if (frame === null) return
    // What hydrates an island is often a pointer or the focus in it.
    setPointedAt(frame.matches(':hover') && window.matchMedia('(hover: hover)').matches)
    setFocused(frame.contains(document.activeElement))
    let isOnScreen = true
    const look = () => setSeen(isOnScreen && !document.hidden)
    const observer = new IntersectionObserver(
      ([entry]) => {
        isOnScreen = entry?.isIntersecting ?? false
        look()
      },
      { threshold: 0.25 },
    )
    observer.observe(frame)
    document.addEventListener('visibilitychange', look)
    return () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', look)
    }
  }, [])

  useEffect(() => {
    if (!isTurning) return
    const timer = setTimeout(
      () => setShown({ index: (shown.index + 1) % count, isFirst: false }),
      shown.isFirst ? firstMs : everyMs,
    )
    return () => clearTimeout(timer)
  }, [isTurning, shown, count, everyMs, firstMs])

  return {
    ...{ index: shown.index, isAuto, isTurning, isSeen, isStill, setAuto: setAsked },
    /** Shows an item and ends the turning. Any whole number is valid and wraps around. */
    choose: (index: number) => {
      setShown({ index: ((index % count) + count) % count, isFirst: false })
      setAsked(false)
    },
    frame: {
      ref,
      onPointerEnter: ({ pointerType }: PointerEvent) => setPointedAt(pointerType === 'mouse'),
      onPointerLeave: () => setPointedAt(false),
      onFocus: () => setFocused(true),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) =>
        setFocused(currentTarget.contains(relatedTarget)),
    },
  }
}

/** Whether the visitor prefers stillness; true in the prebuilt HTML, so nothing moves before we know. */
function useStillness(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const query = window.matchMedia('(prefers-reduced-motion: reduce)')
      query.addEventListener('change', onChange)
      return () => query.removeEventListener('change', onChange)
    },
    () => wantsStillness(window),
    () => true,
  )
}
