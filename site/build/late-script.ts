import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import type { AstroIntegration } from 'astro'
import { inlineScript } from '../layouts/inline-script.ts'

/** Milliseconds after the first paint: by then the largest picture has been decoded and painted. */
const SETTLE_MS = 300

export const MODULE_SCRIPT = /<script type="module" src="([^"]+)"><\/script>/g

/** What Astro writes before the first island: the script of each client directive, then the one that hydrates islands. */
const ISLAND_SCRIPTS = /(?:<script>(?:(?!<\/script>)[^])*<\/script>)+(?=<astro-island)/

/** A page whose script or island has work to do at once: it is for signed-in users, or acts on its own address. */
export const ACTS_AT_ONCE = /data-guard="signed-in"|<astro-island[^>]* client="(?:load|only)"/

/**
 * Loads the scripts of pages that visitors read only after the page has loaded and painted
 * (docs/decisions/0022-pages-that-are-read-load-their-scripts-late.md): they would slow down the first screen.
 */
export function lateScript(): AstroIntegration {
  return {
    name: 'late-script',
    hooks: {
      'astro:build:done': async ({ dir }) => {
        const names = await readdir(dir, { recursive: true })
        for (const name of names.filter((one) => one.endsWith('.html'))) {
          const file = new URL(name, dir)
          const built = await readFile(file, 'utf8')
          if (ACTS_AT_ONCE.test(built)) continue
          const { html, islands } = withLateScript(built)
          if (islands.code !== '') await writeFile(new URL(`.${islands.path}`, dir), islands.code)
          await writeFile(file, html)
        }
      },
    },
  }
}

/**
 * The page without its module scripts and the inline scripts of its islands, which become a file. The scripts load at once
 * when they have something to fill in: a user who is signed in, or what a query or a fragment asks for.
 */
export function withLateScript(html: string) {
  const code = (ISLAND_SCRIPTS.exec(html)?.[0] ?? '').replaceAll(/<\/?script>/g, ';')
  const path = `/_astro/islands.${createHash('sha256').update(code).digest('base64url').slice(0, 8)}.js`
  const scripts = [...html.matchAll(MODULE_SCRIPT)].map(([, src]) => src)
  if (code === '' && scripts.length === 0) return { html, islands: { path, code } }
  const files = JSON.stringify(code === '' ? scripts : [path, ...scripts])
  const late = inlineScript(`(${loadLate.toString()})(${files},${SETTLE_MS})`)
  return {
    html: html
      .replace(ISLAND_SCRIPTS, '')
      .replaceAll(MODULE_SCRIPT, '')
      .replace('</body>', () => `<script>${late}</script></body>`),
    islands: { path, code },
  }
}

/** Runs in the page, which contains it as text, so it uses nothing from outside the function. */
function loadLate(files: string[], settleMs: number) {
  const ask = () => {
    for (const src of files) {
      document.head.append(Object.assign(document.createElement('script'), { type: 'module', src }))
    }
  }
  const isSignedIn = document.documentElement.dataset['session'] === 'loading'
  if (isSignedIn || location.search + location.hash !== '') {
    ask()
    return
  }
  addEventListener('load', () => {
    new PerformanceObserver((_, observer) => {
      observer.disconnect()
      setTimeout(ask, settleMs)
    }).observe({ type: 'paint', buffered: true })
  })
}
