import { readFile, writeFile } from 'node:fs/promises'
import type { AstroIntegration } from 'astro'

/** Milliseconds after the first paint: by then the largest picture has been decoded and painted. */
const SETTLE_MS = 300

const MODULE_SCRIPT = /<script type="module" src="([^"]+)"><\/script>/g

/**
 * Loads the script of the landing page only after the page has loaded and painted
 * (docs/decisions/0022-the-landing-page-has-no-islands.md): a plain tag would slow down the first screen.
 */
export function lateScript(): AstroIntegration {
  return {
    name: 'late-script',
    hooks: {
      'astro:build:done': async ({ dir }) => {
        const file = new URL('index.html', dir)
        await writeFile(file, withLateScript(await readFile(file, 'utf8')))
      },
    },
  }
}

/** Throws unless there is exactly one module script: a second one would load with the first screen. */
export function withLateScript(html: string): string {
  const scripts = [...html.matchAll(MODULE_SCRIPT)]
  if (scripts.length !== 1) {
    throw new Error(`The landing page has ${scripts.length} module scripts; one is expected.`)
  }
  return html.replace(MODULE_SCRIPT, (_, src: string) => {
    const ask = `setTimeout(()=>import('${src}'),${SETTLE_MS})`
    const whenPainted = `new PerformanceObserver((_,o)=>{o.disconnect();${ask}}).observe({type:'paint',buffered:true})`
    return `<script>addEventListener('load',()=>${whenPainted})</script>`
  })
}
