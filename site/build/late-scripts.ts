import { readdir, readFile, writeFile } from 'node:fs/promises'
import type { AstroIntegration } from 'astro'
import { inlineScript } from '../components/inline-script.ts'

const SCRIPT = /<script type="module" src="([^"]+)"><\/script>/g
const ISLAND = /<astro-island[^>]* client="(?:load|only)"[^>]*>/g
const ISLAND_MODULE = /(?:component|renderer)-url="([^"]+)"/g
const IMPORT = /(?:\bfrom|\bimport)\s*["'`]\.\/([^"'`]+\.js)["'`]/g

/** Lets the first screen of each page come before its scripts. */
export const lateScripts: AstroIntegration = {
  name: 'late-scripts',
  hooks: {
    'astro:build:done': async ({ dir }) => {
      for (const name of await readdir(dir, { recursive: true })) {
        if (!name.endsWith('.html')) continue
        const page = new URL(name, dir)
        const html = await readFile(page, 'utf8')
        const codeAt = (path: string) => readFile(new URL(`.${path}`, dir), 'utf8')
        await writeFile(page, await withLateScripts(html, codeAt))
      }
    },
  },
}

/** Runs in the page: starts the modules that the attribute of this script lists, in their order, once a frame was painted. */
function startScripts(list: HTMLOrSVGScriptElement | null) {
  const start = () => {
    for (const src of list?.dataset['src']?.split(' ') ?? []) {
      const script = document.createElement('script')
      Object.assign(script, { type: 'module', async: false, src })
      document.head.append(script)
    }
  }
  // A page in a background tab has no frames.
  if (document.hidden) start()
  else requestAnimationFrame(() => setTimeout(start))
}

const LOADER = inlineScript(`(${startScripts.toString()})(document.currentScript)`)

/**
 * The HTML of a page that asks for the scripts of its components when the first screen is painted. Where an island is part of
 * that screen it comes with them: all have a low priority, and the head names what they import at once, so that the browser asks
 * for that together and not for each after the one that imports it.
 */
export async function withLateScripts(html: string, codeAt: (path: string) => Promise<string>) {
  const scripts = [...html.matchAll(SCRIPT)].map(([, path = '']) => path)
  const islands = (html.match(ISLAND) ?? []).join('')
  if (islands === '') {
    if (scripts.length === 0) return html
    const start = `<script data-src="${scripts.join(' ')}">${LOADER}</script>`
    return html.replaceAll(SCRIPT, '').replace('</body>', () => `${start}</body>`)
  }
  const own = [...islands.matchAll(ISLAND_MODULE)].map(([, path = '']) => path)
  const modules = new Set([...scripts, ...own])
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
