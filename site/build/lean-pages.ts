import { readdir, readFile } from 'node:fs/promises'
import type { AstroIntegration } from 'astro'
import { withLeanScripts } from './lean-scripts.ts'
import { withLeanStyle } from './lean-style.ts'
import { reachableScripts } from './reachable-scripts.ts'
import { rewritePages } from './rewrite-pages.ts'

/**
 * Leaves in each page what it uses (docs/decisions/0023-a-page-carries-the-rules-it-uses.md). Policies are written
 * after it, since they name the inline blocks by their hash.
 */
export function leanPages(): AstroIntegration {
  return {
    name: 'lean-pages',
    hooks: {
      'astro:build:done': async ({ dir }) => {
        const files = await readScripts(new URL('_astro/', dir))
        await rewritePages(dir, (html) =>
          withLeanScripts(withLeanStyle(html, reachableScripts(html, files))),
        )
      },
    },
  }
}

async function readScripts(folder: URL): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'))
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')))
  return new Map(names.map((name, index) => [name, texts[index] ?? '']))
}
