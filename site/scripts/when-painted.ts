import type { ClientDirective } from 'astro'

const LOOK_AGAIN_MS = 50
/** One second in all. A page that has painted nothing by then is treated as painted. */
const LOOKS = 20

declare module 'astro' {
  interface AstroClientDirectives {
    'client:painted'?: boolean
  }
}

/**
 * `client:painted`: hydrates an island after the first paint of its page. `client:idle` may begin before it on a busy
 * machine, and the paint then waits for React (docs/decisions/0024-public-islands-wait-for-the-first-paint.md).
 */
const painted: ClientDirective = (load) => {
  whenPainted(() => {
    void load().then((hydrate) => hydrate())
  })
}

export default painted

/**
 * Calls back once the page has loaded, has painted its first content and the browser is idle, so that the work does not
 * delay the first screen. A page in the background paints nothing and does not wait for it.
 */
export function whenPainted(call: () => void) {
  let looks = 0
  const look = () => {
    looks += 1
    const isPainted = performance.getEntriesByName('first-contentful-paint').length > 0
    if (isPainted || document.hidden || looks > LOOKS) whenIdle(call)
    else setTimeout(look, LOOK_AGAIN_MS)
  }
  whenIdle(look)
}

/** Calls back once the page has loaded and the browser is idle. */
export function whenIdle(call: () => void) {
  const wait = () => {
    if ('requestIdleCallback' in window) requestIdleCallback(call)
    else setTimeout(call, 200)
  }
  if (document.readyState === 'complete') wait()
  else addEventListener('load', wait)
}
