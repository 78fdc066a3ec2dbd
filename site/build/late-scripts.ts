import { readdir, readFile, writeFile } from 'node:fs/promises'
import type { AstroIntegration } from 'astro'

const SCRIPT = /<script type="module" src="([^"]+)"/g
const ISLAND = /<astro-island[^>]* client="(?:load|only)"[^>]*>/g
const ISLAND_MODULE = /(?:component|renderer)-url="([^"]+)"/g
const IMPORT = /(?:\bfrom|\bimport)\s*["'`]\.\/([^"'`]+\.js)["'`]/g

/** Lets the first screen of each page come before its scripts. */
export const lowPriority: AstroIntegration = {
  name: 'low-priority',
  hooks: {
    'astro:build:done': async ({ dir }) => {
      for (const name of await readdir(dir, { recursive: true })) {
        if (!name.endsWith('.html')) continue
        const page = new URL(name, dir)
        const html = await readFile(page, 'utf8')
        const codeAt = (path: string) => readFile(new URL(`.${path}`, dir), 'utf8')
        await writeFile(page, await lowerPriority(html, codeAt))
      }
    },
  },
}

/**
 * The HTML of a page with a low priority for its scripts. The head names all modules that they and the islands import, so that
 * the browser asks for them together and not for each after the one that imports it.
 */
export async function lowerPriority(html: string, codeAt: (path: string) => Promise<string>) {
  const islands = (html.match(ISLAND) ?? []).join('')
  const entries = [...html.matchAll(SCRIPT), ...islands.matchAll(ISLAND_MODULE)]
  const modules = new Set(entries.map(([, path = '']) => path))
  // A Set visits the entries that are added to it during the loop.
  for (const path of modules) {
    for (const [, file = ''] of (await codeAt(path)).matchAll(IMPORT))
      modules.add(`/_astro/${file}`)
  }
  const links = [...modules].map(
    (path) => `<link rel="modulepreload" fetchpriority="low" href="${path}">`,
  )
  return html
    .replaceAll('<script type="module" src', '<script type="module" fetchpriority="low" src')
    .replace('</head>', () => `${links.join('')}</head>`)
}
