import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** Bytes of one thing as it is and as it travels. Brotli at level 4 is what an edge does on the fly. */
interface Weight {
  raw: number
  gzip: number
  brotli4: number
}

function weigh(files: Buffer[]): Weight {
  const sum = (measure: (file: Buffer) => number) =>
    files.reduce((total, file) => total + measure(file), 0)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 }
  return {
    raw: sum((file) => file.length),
    gzip: sum((file) => gzipSync(file).length),
    brotli4: sum((file) => brotliCompressSync(file, { params }).length),
  }
}

/** The modules of a built Worker: what it evaluates when it starts, and what a call loads when it wants it. */
export function workerModules(root: string): { atStart: string[]; later: string[] } {
  const server = join(root, 'dist/server')
  const all = globSync('**/*.mjs', { cwd: server }).map((path) => join(server, path))
  const atStart = new Set([join(server, 'entry.mjs')])
  // A Set visits the entries that are added to it during the loop.
  for (const file of atStart) {
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(WORKER_IMPORT)) {
      atStart.add(join(dirname(file), path))
    }
  }
  return { atStart: [...atStart], later: all.filter((file) => !atStart.has(file)) }
}

/** How much a built Worker evaluates when it starts, in bytes after gzip, as Cloudflare counts them. */
export function workerStartBytes(root: string): number {
  return gzipSync(Buffer.concat(workerModules(root).atStart.map((file) => readFileSync(file))))
    .length
}

/**
 * A short table, in KB: the Worker bundle, then each page's HTML (with the scripts written into it), the scripts it
 * loads at once (`js`) and after its paint or when something is used (`later`), and its styles in files.
 */
export function sizesTable(root: string): string {
  const { atStart, later } = workerModules(root)
  const weightOf = (files: string[]) => cells(weigh(files.map((file) => readFileSync(file))))
  const lines = [
    heading('Worker', ['raw', 'gzip', 'brotli 4']),
    row('evaluated at its start', weightOf(atStart)),
    row('loaded when wanted', weightOf(later)),
    '',
    heading('Page', [...of('html'), ...of('js'), ...of('later'), ...of('css')]),
    ...pageRows(join(root, 'dist/client')),
  ]
  return lines.join('\n')
}

function pageRows(client: string): string[] {
  const fileAt = readerOf(client)
  const all = (addresses: string[]) => weigh(addresses.flatMap((address) => fileAt(address) ?? []))
  return globSync('**/*.html', { cwd: client })
    .sort()
    .map((path) => {
      const file = readFileSync(join(client, path))
      const text = file.toString()
      const scripts = pageScripts(text, (address) => fileAt(address)?.toString() ?? null)
      const styles = [...text.matchAll(/href="(\/_astro\/[^"]+\.css)"/g)].map(([, css = '']) => css)
      const parts = [weigh([file]), all(scripts.atOnce), all(scripts.later), all(styles)]
      const values = parts.flatMap(({ gzip, brotli4 }) => [kilobytes(gzip), kilobytes(brotli4)])
      return row(`/${path.replace(/(^|\/)index\.html$|\.html$/, '')}`, values)
    })
}

/** Reads the file at a URL of the built site; null when there is none. */
const readerOf = (client: string) => (address: string) => {
  const file = join(client, address)
  return existsSync(file) ? readFileSync(file) : null
}

const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1)
const of = (part: string) => [`${part} gzip`, `${part} br4`]
const cells = ({ raw, gzip, brotli4 }: Weight) => [raw, gzip, brotli4].map(kilobytes)
const row = (name: string, values: string[]) =>
  `  ${name.padEnd(28)}${values.map((value) => value.padStart(11)).join('')}`
const heading = (name: string, values: string[]) => row(`${name} (KB)`, values)

/** Static imports and re-exports of a module of the Worker. */
const WORKER_IMPORT = /(?:\bfrom|\bimport)\s*["'](\.[^"']+\.mjs)["']/g
const IMPORTED = /(?:\bfrom|\bimport)\s*["'`]([^"'`]+\.js)["'`]/g
const IMPORTED_LATER = /\bimport\(\s*["'`]([^"'`]+\.js)["'`]\s*\)/g
const TAG = /<(?:script|link)\b[^>]*\b(?:src|href)="([^"]+\.js)"/g
const ISLAND = /<astro-island\b[^>]*>/g
const ISLAND_SCRIPT = /(?:component|renderer)-url="([^"]+\.js)"/g
const WAITS = /\bclient="(?:used|idle|visible|media)"/

/** Addresses of a page's scripts, each once. */
export interface PageScripts {
  /** Asked for while the page loads. */
  atOnce: string[]
  /** Asked for once it has been painted, or when something is used. */
  later: string[]
}

/**
 * Finds what a built page's tags and islands load and, through imports, all that comes with it. What both load counts
 * as loaded at once.
 *
 * @param read the text of the script at an address, null when there is none
 */
export function pageScripts(html: string, read: (address: string) => string | null): PageScripts {
  const islands = [...html.matchAll(ISLAND)].map(([tag]) => tag)
  const waiting = islands.filter((tag) => WAITS.test(tag))
  const ready = islands.filter((tag) => !WAITS.test(tag))
  const atOnce = new Map<string, string>()
  const later = new Map<string, string>()

  function follow(addresses: string[], found: Map<string, string>): void {
    for (const address of addresses) {
      const text = atOnce.has(address) || found.has(address) ? null : read(address)
      if (text === null) continue
      found.set(address, text)
      follow(named(text, IMPORTED, address), found)
    }
  }

  const inPage = (text: string, pattern: RegExp) => named(text, pattern, '/')
  follow([...inPage(html, TAG), ...inPage(html, IMPORTED)], atOnce)
  follow(inPage(ready.join(''), ISLAND_SCRIPT), atOnce)
  follow([...inPage(waiting.join(''), ISLAND_SCRIPT), ...inPage(html, IMPORTED_LATER)], later)
  for (const found of [atOnce, later]) {
    // A Map visits the entries that are added to it during the loop.
    for (const [address, text] of found) follow(named(text, IMPORTED_LATER, address), later)
  }
  return { atOnce: [...atOnce.keys()], later: [...later.keys()] }
}

function named(text: string, pattern: RegExp, base: string): string[] {
  return [...text.matchAll(pattern)].map(
    ([, path = '']) => new URL(path, `http://site${base}`).pathname,
  )
}
