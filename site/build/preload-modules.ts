export const MODULE_SCRIPT = /<script type="module" src="([^"]+)"><\/script>/g
const ISLAND_SCRIPT = /(?:component|renderer)-url="([^"]+\.js)"/g
const IMPORTED = /(?:\bfrom|\bimport)\s*["'`]\.\/([^"'`]+\.js)["'`]/g

/**
 * The page with a `modulepreload` for each module that its scripts and islands import, so that the browser asks for them
 * together with the page and not for each after the one that imports it.
 */
export function withPreloads(html: string, scripts: ReadonlyMap<string, string>): string {
  const links = modulesOf(html, scripts).map(
    (path) => `<link rel="modulepreload" fetchpriority="low" href="${path}">`,
  )
  return html.replace('</title>', () => `</title>${links.join('')}`)
}

/** The modules of a page's tags and islands, and all that they import, each once. */
export function modulesOf(html: string, scripts: ReadonlyMap<string, string>): string[] {
  const inPage = [...html.matchAll(MODULE_SCRIPT), ...html.matchAll(ISLAND_SCRIPT)]
  const found = new Set(inPage.map(([, path = '']) => path))
  // A Set visits the entries that are added to it during the loop.
  for (const path of found) {
    for (const [, name] of (scripts.get(path) ?? '').matchAll(IMPORTED))
      found.add(`/_astro/${name}`)
  }
  return [...found]
}
