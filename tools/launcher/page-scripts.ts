const IMPORTED = /(?:\bfrom|\bimport)\s*["'`]([^"'`]+\.js)["'`]/g
const IMPORTED_LATER = /\bimport\(\s*["'`]([^"'`]+\.js)["'`]\s*\)/g
const TAG = /<(?:script|link)\b[^>]*\b(?:src|href)="([^"]+\.js)"/g
const ISLAND = /<astro-island\b[^>]*>/g
const ISLAND_SCRIPT = /(?:component|renderer)-url="([^"]+\.js)"/g
const WAITS = /\bclient="(?:painted|idle|visible|media)"/

/** Addresses of a page's scripts, each once. */
export interface PageScripts {
  /** Asked for while the page loads. */
  atOnce: string[]
  /** Asked for once it has been painted, or when something is used. */
  later: string[]
}

/**
 * Finds what a built page's tags and islands load and, through imports, all that comes with it. What both load counts
 * as loaded at once.
 *
 * @param read the text of the script at an address, null when there is none
 */
export function pageScripts(html: string, read: (address: string) => string | null): PageScripts {
  const islands = [...html.matchAll(ISLAND)].map(([tag]) => tag)
  const waiting = islands.filter((tag) => WAITS.test(tag))
  const ready = islands.filter((tag) => !WAITS.test(tag))
  const atOnce = new Map<string, string>()
  const later = new Map<string, string>()

  function follow(addresses: string[], found: Map<string, string>): void {
    for (const address of addresses) {
      const text = atOnce.has(address) || found.has(address) ? null : read(address)
      if (text === null) continue
      found.set(address, text)
      follow(named(text, IMPORTED, address), found)
    }
  }

  const inPage = (text: string, pattern: RegExp) => named(text, pattern, '/')
  follow([...inPage(html, TAG), ...inPage(html, IMPORTED)], atOnce)
  follow(inPage(ready.join(''), ISLAND_SCRIPT), atOnce)
  follow([...inPage(waiting.join(''), ISLAND_SCRIPT), ...inPage(html, IMPORTED_LATER)], later)
  for (const found of [atOnce, later]) {
    // A map goes on with what is added to it while it is walked through.
    for (const [address, text] of found) follow(named(text, IMPORTED_LATER, address), later)
  }
  return { atOnce: [...atOnce.keys()], later: [...later.keys()] }
}

function named(text: string, pattern: RegExp, base: string): string[] {
  return [...text.matchAll(pattern)].map(
    ([, path = '']) => new URL(path, `http://site${base}`).pathname,
  )
}
