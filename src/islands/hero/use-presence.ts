import { type RefObject, useEffect, useState } from 'react'
import { wantsStillness } from '../../lib/stillness.ts'

/** Whether at least a quarter of the element is in view, in a visible tab. */
export function useIsSeen(element: RefObject<HTMLElement | null>): boolean {
  const [isOnScreen, setIsOnScreen] = useState(false)
  const [isInFront, setIsInFront] = useState(true)

  useEffect(() => {
    const target = element.current
    if (target === null) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        setIsOnScreen(entry?.isIntersecting ?? false)
      },
      { threshold: 0.25 },
    )
    observer.observe(target)
    const handleVisibility = () => {
      setIsInFront(!document.hidden)
    }
    document.addEventListener('visibilitychange', handleVisibility)
    return () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', handleVisibility)
    }
  }, [element])

  return isOnScreen && isInFront
}

/** `wantsStillness` as a hook: true until the page has hydrated, and updated when the setting changes. */
export function useStillness(): boolean {
  const [isStill, setIsStill] = useState(true)
  useEffect(() => {
    const query = window.matchMedia('(prefers-reduced-motion: reduce)')
    const read = () => {
      setIsStill(wantsStillness(window))
    }
    read()
    query.addEventListener('change', read)
    return () => {
      query.removeEventListener('change', read)
    }
  }, [])
  return isStill
}
