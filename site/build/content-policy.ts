import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import type { AstroIntegration } from 'astro'

/** Scripts that run: without `src`, and not a data block such as JSON-LD. */
const INLINE = /<script(?![^>]*\ssrc=)(?![^>]*ld\+json)[^>]*>([\s\S]*?)<\/script>/g

/** The origins of the payment emulator: any port of this machine. */
const LOOPBACK = 'http://localhost:* http://127.0.0.1:*'

/**
 * Fills in the content security policy of public/_headers: `{inline}` with the hashes of the inline scripts of all pages,
 * `{emulator}` with nothing in a build to deploy. Astro's `security.csp` writes a <meta>, which can neither name
 * frame-ancestors nor report, and repeats the hashes of every file in every page.
 */
export function contentPolicy({ isLocal }: { isLocal: boolean }): AstroIntegration {
  return {
    name: 'content-policy',
    hooks: {
      'astro:build:done': async ({ dir }) => {
        const hashes = new Set<string>()
        for (const name of await readdir(dir, { recursive: true })) {
          if (!name.endsWith('.html')) continue
          const html = await readFile(new URL(name, dir), 'utf8')
          for (const [, code = ''] of html.matchAll(INLINE)) hashes.add(hashOf(code))
        }
        const file = new URL('_headers', dir)
        const headers = await readFile(file, 'utf8')
        await writeFile(file, withPolicy(headers, hashes, isLocal ? LOOPBACK : ''))
      },
    },
  }
}

const hashOf = (code: string) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`

/** Cloudflare ignores a longer line, and the pages would have no policy. */
const LINE_MAX = 2_000

/** The headers with their placeholders filled in. */
export function withPolicy(headers: string, hashes: Iterable<string>, emulator: string): string {
  const filled = headers
    .replaceAll('{inline}', [...hashes].join(' '))
    .replaceAll(/ ?\{emulator\}/g, emulator === '' ? '' : ` ${emulator}`)
  if (filled.split('\n').some(({ length }) => length > LINE_MAX))
    throw new Error('A line of _headers is too long for Cloudflare: use fewer inline scripts')
  return filled
}
