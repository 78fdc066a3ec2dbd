import { wantsStillness } from './stillness.ts'

interface Options {
  /** Holds the items and their controls. */
  readonly frame: HTMLElement
  readonly count: number
  /** How many milliseconds each item stays. */
  readonly everyMs: number
  /** Shows the state; runs after each change. */
  readonly show: () => void
}

/**
 * Which of `count` items is visible. It advances automatically until the visitor chooses one, pauses while its frame is
 * hovered, focused or out of view, and stays still for visitors who prefer reduced motion or save data.
 */
export function createRotation({ frame, count, everyMs, show }: Options) {
  let index = 0
  let isStill = wantsStillness(window)
  /** The visitor's choice; null before a choice. */
  let asked: boolean | null = null
  // The pointer or the focus may be in it already.
  let isPointedAt = frame.matches(':hover') && window.matchMedia('(hover: hover)').matches
  let isFocused = frame.contains(document.activeElement)
  let isOnScreen = true
  let timer: ReturnType<typeof setTimeout> | undefined
  let timedIndex: number | null = null

  const isAuto = () => asked ?? !isStill
  const isSeen = () => isOnScreen && !document.hidden
  const isTurning = () => isAuto() && isSeen() && !isPointedAt && !isFocused

  function update() {
    show()
    const wanted = isTurning() ? index : null
    if (wanted === timedIndex) return
    timedIndex = wanted
    clearTimeout(timer)
    if (wanted === null) return
    timer = setTimeout(() => {
      index = (index + 1) % count
      update()
    }, everyMs)
  }

  frame.addEventListener('pointerenter', ({ pointerType }) => {
    isPointedAt = pointerType === 'mouse'
    update()
  })
  frame.addEventListener('pointerleave', () => {
    isPointedAt = false
    update()
  })
  frame.addEventListener('focusin', () => {
    isFocused = true
    update()
  })
  frame.addEventListener('focusout', ({ relatedTarget }) => {
    isFocused = relatedTarget instanceof Node && frame.contains(relatedTarget)
    update()
  })
  document.addEventListener('visibilitychange', update)
  window.matchMedia('(prefers-reduced-motion: reduce)').addEventListener('change', () => {
    isStill = wantsStillness(window)
    update()
  })
  new IntersectionObserver(
    ([entry]) => {
      isOnScreen = entry?.isIntersecting ?? false
      update()
    },
    { threshold: 0.25 },
  ).observe(frame)

  return {
    index: () => index,
    isStill: () => isStill,
    isAuto,
    isSeen,
    isTurning,
    /** Shows the state for the first time. */
    start: update,
    /** Turns by itself, or stops. */
    setAuto(wanted: boolean) {
      asked = wanted
      update()
    },
    /** Shows an item and ends the turning. Any whole number is valid and wraps around. */
    choose(wanted: number) {
      index = ((wanted % count) + count) % count
      asked = false
      update()
    },
  }
}
