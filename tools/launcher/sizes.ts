import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { pageScripts } from './page-scripts.ts'

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

/**
 * A short table, in KB: the Worker bundle, then each page's HTML (with the scripts written into it), the scripts it
 * loads at once (`js`) and after its paint or when something is used (`later`), and its styles in files.
 */
export function sizesTable(root: string): string {
  const server = join(root, 'dist/server')
  const bundle = globSync('**/*.{mjs,js}', { cwd: server }).map((path) =>
    readFileSync(join(server, path)),
  )
  const lines = [
    heading('Worker', ['raw', 'gzip', 'brotli 4']),
    row('bundle', cells(weigh(bundle))),
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

/** Reads the file at an address of the built site; null when there is none. */
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
