import { readdir, readFile, writeFile } from 'node:fs/promises'
import type { AstroIntegration } from 'astro'
import { withLateScript } from './late-script.ts'
import { headerRule, oneStyle, policyFor, withRule } from './policy.ts'
import { withPreloads } from './preload-modules.ts'

/** The origins of the payment emulator: any port of this machine. */
const LOOPBACK = 'http://localhost:* http://127.0.0.1:*'

/** A page whose script or island has work to do at once: it is for signed-in users, or acts on its own address. */
const ACTS_AT_ONCE = /data-guard="signed-in"|<astro-island[^>]* client="(?:load|only)"/

/**
 * Finishes each built page: names its modules in its head or makes its scripts late, puts its styles together, and gives it
 * a content security policy for the inline blocks that it then has
 * (docs/decisions/0021-each-page-carries-its-own-policy.md). A local build also allows the payment emulator.
 */
export function finishPages({ isLocal }: { isLocal: boolean }): AstroIntegration {
  const emulator = isLocal ? LOOPBACK : ''
  return {
    name: 'finish-pages',
    hooks: {
      'astro:build:done': async ({ dir }) => {
        const scripts = await builtScripts(dir)
        const headers = new URL('_headers', dir)
        let rules = await readFile(headers, 'utf8')
        const names = await readdir(dir, { recursive: true })
        for (const name of names.filter((one) => one.endsWith('.html')).toSorted()) {
          const file = new URL(name, dir)
          const built = await readFile(file, 'utf8')
          const { html, islands } = ACTS_AT_ONCE.test(built)
            ? { html: withPreloads(built, scripts), islands: null }
            : withLateScript(built, scripts)
          if (islands !== null) await writeFile(new URL(`.${islands.path}`, dir), islands.code)
          const page = oneStyle(html)
          await writeFile(file, page)
          rules = withRule(rules, headerRule(name, policyFor(name, page, emulator)))
        }
        await writeFile(headers, rules)
      },
    },
  }
}

/** The text of each script of the build by its path. */
async function builtScripts(dir: URL): Promise<ReadonlyMap<string, string>> {
  const scripts = new Map<string, string>()
  for (const name of await readdir(new URL('_astro/', dir))) {
    if (!name.endsWith('.js')) continue
    scripts.set(`/_astro/${name}`, await readFile(new URL(`_astro/${name}`, dir), 'utf8'))
  }
  return scripts
}
