import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import type { AstroIntegration } from 'astro'

/** Milliseconds after the first paint: by then the largest picture has been decoded and painted. */
const SETTLE_MS = 300

const MODULE_SCRIPT = /<script type="module" src="([^"]+)"><\/script>/g

/** What Astro writes before the first island: the script of each client directive, then the one that hydrates islands. */
const ISLAND_SCRIPTS = /(?:<script>(?:(?!<\/script>)[^])*<\/script>)+(?=<astro-island)/

/**
 * Loads the scripts of the landing page only after the page has loaded and painted
 * (docs/decisions/0022-the-landing-page-hydrates-late.md): they would slow down the first screen.
 */
export function lateScript(): AstroIntegration {
  return {
    name: 'late-script',
    hooks: {
      'astro:build:done': async ({ dir }) => {
        const file = new URL('index.html', dir)
        const { html, islands } = withLateScript(await readFile(file, 'utf8'))
        await writeFile(new URL(`.${islands.path}`, dir), islands.code)
        await writeFile(file, html)
      },
    },
  }
}

/**
 * The page without its module script and the inline scripts of its islands, which become a file.
 * Throws unless there is exactly one module script: a second one would load with the first screen.
 */
export function withLateScript(html: string) {
  const scripts = [...html.matchAll(MODULE_SCRIPT)].map(([, src]) => src)
  if (scripts.length !== 1) {
    throw new Error(`The landing page has ${scripts.length} module scripts; one is expected.`)
  }
  const code = (ISLAND_SCRIPTS.exec(html)?.[0] ?? '').replaceAll(/<\/?script>/g, ';')
  const path = `/_astro/islands.${createHash('sha256').update(code).digest('base64url').slice(0, 8)}.js`
  const ask = `setTimeout(()=>{import('${path}');import('${scripts[0]}')},${SETTLE_MS})`
  const whenPainted = `new PerformanceObserver((_,o)=>{o.disconnect();${ask}}).observe({type:'paint',buffered:true})`
  return {
    html: html
      .replace(ISLAND_SCRIPTS, '')
      .replace(MODULE_SCRIPT, () => `<script>addEventListener('load',()=>${whenPainted})</script>`),
    islands: { path, code },
  }
}
