import type { ClientDirective } from 'astro'

declare module 'astro' {
  interface AstroClientDirectives {
    'client:used'?: boolean | 'address'
  }
}

/**
 * `client:used`: hydrates an island once somebody points at it or focuses something in it, so that visitors who only read
 * the page load no React. The island of a signed-in user does not wait, because it fills in the user's data
 * (docs/decisions/0022-pages-that-are-read-load-their-scripts-late.md). With `client:used="address"` neither does an island
 * whose page has a query or a fragment: it reads them.
 */
const used: ClientDirective = (load, { value }, island) => {
  const start = onUse(island, load)
  const hasAddress = value === 'address' && location.search + location.hash !== ''
  if (hasAddress || document.documentElement.dataset['signedIn'] !== undefined) start()
}

export default used

/** Hydrates the island when it is used; the answer does it now. */
export function onUse(island: HTMLElement, load: Parameters<ClientDirective>[0]): () => void {
  let isStarted = false
  const start = () => {
    if (isStarted) return
    isStarted = true
    void load().then((hydrate) => hydrate())
  }
  for (const event of ['pointerover', 'focusin', 'input'] as const) {
    island.addEventListener(event, start, { once: true, passive: true })
  }
  // Used before this script ran: focused by the browser, such as a field after going back, or pressed (src/lib/early-input.ts).
  if (island.contains(document.activeElement) || island.querySelector('[aria-busy=true]')) start()
  return start
}
