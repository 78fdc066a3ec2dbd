import { readFile, writeFile } from 'node:fs/promises'
import type { AstroIntegration } from 'astro'

const HEADER = /^ *Strict-Transport-Security: .*$/m

/** Adds `preload` to the header of the pages, when the owner wants the domain on the browsers' lists. */
export function hstsPreload(isWanted: boolean): AstroIntegration {
  return {
    name: 'hsts-preload',
    hooks: {
      'astro:build:done': async ({ dir }) => {
        if (!isWanted) return
        const file = new URL('_headers', dir)
        const text = await readFile(file, 'utf8')
        if (!HEADER.test(text))
          throw new Error('public/_headers sets no Strict-Transport-Security.')
        await writeFile(file, text.replace(HEADER, '$&; preload'))
      },
    },
  }
}
