import { type RefObject, useEffect, useState } from 'react'
import { wantsStillness } from '../../lib/stillness.ts'

/** Whether the element can be seen now: on screen by a quarter, in a tab that is in front. */
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

/** True until the page runs in a browser, then what this visitor asked for; follows a change of the setting. */
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
