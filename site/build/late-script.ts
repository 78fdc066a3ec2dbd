import { createHash } from 'node:crypto'
import { inlineScript } from '../layouts/inline-script.ts'
import { MODULE_SCRIPT, modulesOf } from './preload-modules.ts'

/** Milliseconds after the first paint: by then the largest picture has been decoded and painted. */
const SETTLE_MS = 300

/** What Astro writes before the first island: the script of each client directive, then the one that hydrates islands. */
const ISLAND_SCRIPTS = /(?:<script>(?:(?!<\/script>)[^])*<\/script>)+(?=<astro-island)/

/** An island of `client:used`, which does not wait for its use where somebody is signed in (site/scripts/when-used.ts). */
const STARTS_FOR_USERS = /<astro-island[^>]* client="used"/

/**
 * The page without its module scripts and the inline scripts of its islands, which become a file. They load after the page
 * has loaded and painted (docs/decisions/0022-pages-that-are-read-load-their-scripts-late.md), or at once when they have
 * something to fill in: for a signed-in user, or when the page has a query or a fragment. An island that hydrates at once
 * for such a user gets all modules that it imports then, and not each after the one that imports it.
 */
export function withLateScript(html: string, built: ReadonlyMap<string, string>) {
  const code = (ISLAND_SCRIPTS.exec(html)?.[0] ?? '').replaceAll(/<\/?script>/g, ';')
  const path = `/_astro/islands.${createHash('sha256').update(code).digest('base64url').slice(0, 8)}.js`
  const scripts = [...html.matchAll(MODULE_SCRIPT)].map(([, src]) => src)
  if (code === '' && scripts.length === 0) return { html, islands: null }
  const files = JSON.stringify(code === '' ? scripts : [path, ...scripts])
  const modules = STARTS_FOR_USERS.test(html) ? modulesOf(html, built) : []
  const late = inlineScript(
    (modules.length > 0 ? `(${loadForUsers.toString()})(${JSON.stringify(modules)});` : '') +
      `(${loadLate.toString()})(${files},${SETTLE_MS})`,
  )
  return {
    html: html
      .replace(ISLAND_SCRIPTS, '')
      .replaceAll(MODULE_SCRIPT, '')
      .replace('</body>', () => `<script>${late}</script></body>`),
    islands: code === '' ? null : { path, code },
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

/** Runs in the page too; an island that does not wait for its use gets its modules together. */
function loadForUsers(modules: string[]) {
  if (document.documentElement.dataset['session'] !== 'loading') return
  for (const href of modules) {
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'modulepreload', href }),
    )
  }
}
