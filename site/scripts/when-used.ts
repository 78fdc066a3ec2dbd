import type { ClientDirective } from 'astro'

declare module 'astro' {
  interface AstroClientDirectives {
    'client:used'?: boolean
  }
}

/**
 * `client:used`: hydrates an island once somebody points at it or focuses something in it, so that visitors who only read
 * the page load no React. The island of a signed-in user does not wait, because it fills in what is known of the user
 * (docs/decisions/0024-public-islands-wait-until-they-are-used.md).
 */
const used: ClientDirective = (load, _options, island) => {
  let isStarted = false
  const start = () => {
    if (isStarted) return
    isStarted = true
    void load().then((hydrate) => hydrate())
  }
  for (const event of ['pointerover', 'focusin', 'input'] as const) {
    island.addEventListener(event, start, { once: true, passive: true })
  }
  // An element that the browser focused before this script ran, such as a field after going back.
  if (isSignedIn() || island.contains(document.activeElement)) start()
}

export default used

function isSignedIn(): boolean {
  try {
    return localStorage.getItem('token') !== null
  } catch {
    return false
  }
}
