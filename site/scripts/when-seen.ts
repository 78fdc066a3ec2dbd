import type { ClientDirective } from 'astro'
import { wantsStillness } from '../../src/lib/stillness.ts'
import { onUse } from './when-used.ts'

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
  const start = onUse(island, load)
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
