import { readdir, readFile, writeFile } from 'node:fs/promises'
import type { AstroIntegration } from 'astro'

/** A page whose script or island has work to do at once: it is for signed-in users, or acts on its own address. */
export const ACTS_AT_ONCE = /data-guard="signed-in"|<astro-island[^>]* client="(?:load|only)"/

export const MODULE_SCRIPT = /<script type="module" src="([^"]+)"><\/script>/g
const ISLAND_SCRIPT = /(?:component|renderer)-url="([^"]+\.js)"/g
const IMPORTED = /(?:\bfrom|\bimport)\s*["'`]\.\/([^"'`]+\.js)["'`]/g

/**
 * Names in the head of each page that acts at once all modules that its scripts and islands import, so that the browser asks
 * for them together with the page and not for each after the one that imports it.
 */
export function preloadModules(): AstroIntegration {
  return {
    name: 'preload-modules',
    hooks: {
      'astro:build:done': async ({ dir }) => {
        const scripts = await builtScripts(dir)
        const names = await readdir(dir, { recursive: true })
        for (const name of names.filter((one) => one.endsWith('.html'))) {
          const file = new URL(name, dir)
          const html = await readFile(file, 'utf8')
          if (ACTS_AT_ONCE.test(html)) await writeFile(file, withPreloads(html, scripts))
        }
      },
    },
  }
}

/** The text of each script of the build by its path. */
export async function builtScripts(dir: URL): Promise<ReadonlyMap<string, string>> {
  const scripts = new Map<string, string>()
  for (const name of await readdir(new URL('_astro/', dir))) {
    if (!name.endsWith('.js')) continue
    scripts.set(`/_astro/${name}`, await readFile(new URL(`_astro/${name}`, dir), 'utf8'))
  }
  return scripts
}

/** The page with a `modulepreload` for each module that it needs. */
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
