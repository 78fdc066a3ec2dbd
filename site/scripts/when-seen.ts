import type { ClientDirective } from 'astro'
import { wantsStillness } from '../../src/lib/stillness.ts'

declare module 'astro' {
  interface AstroClientDirectives {
    'client:seen'?: string
  }
}

/**
 * `client:seen="MS"`: hydrates an island that moves by itself once it has been in view for this many milliseconds, or
 * earlier when it is used. Visitors who prefer stillness have to use it.
 */
const seen: ClientDirective = (load, { value }, island) => {
  let isStarted = false
  const start = () => {
    if (isStarted) return
    isStarted = true
    void load().then((hydrate) => hydrate())
  }
  for (const event of ['pointerover', 'focusin'] as const) {
    island.addEventListener(event, start, { once: true, passive: true })
  }
  const part = island.firstElementChild
  if (part === null || wantsStillness(window)) return
  new IntersectionObserver(
    ([entry], observer) => {
      if (!entry?.isIntersecting) return
      observer.disconnect()
      setTimeout(start, Number(value))
    },
    { threshold: 0.25 },
  ).observe(part)
}

export default seen
