import { whenIdle } from './when-idle.ts'

const LOOK_AGAIN_MS = 50
/** A page that shows nothing for a second is not going to. */
const LOOKS = 20

/**
 * Calls once the page has loaded, has shown its first content and the browser is idle, so that what is called takes
 * nothing from the first screen. A page in the background shows nothing and does not wait for it.
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
