import type { ClientDirective } from 'astro'

const LOOK_AGAIN_MS = 50
/** Gives up after one second (20 checks) and treats the page as painted. */
const LOOKS = 20

declare module 'astro' {
  interface AstroClientDirectives {
    'client:painted'?: boolean
  }
}

/**
 * `client:painted`: hydrates an island after the first paint of its page. `client:idle` may hydrate before
 * the paint on a busy machine, which then delays it (docs/decisions/0024-public-islands-wait-for-the-first-paint.md).
 */
const painted: ClientDirective = (load) => {
  whenPainted(() => {
    void load().then((hydrate) => hydrate())
  })
}

export default painted

/**
 * Calls back once the page has loaded, has painted its first content and the browser is idle, so that the work does not
 * delay the first screen. A page in the background does not paint, so it does not wait.
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
