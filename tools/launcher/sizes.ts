import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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

/** A short table: the Worker bundle, then each page's HTML and the scripts and styles it loads, in KB. */
export function sizesTable(root: string): string {
  const server = join(root, 'dist/server')
  const bundle = globSync('**/*.{mjs,js}', { cwd: server }).map((path) =>
    readFileSync(join(server, path)),
  )
  const lines = [
    heading('Worker', ['raw', 'gzip', 'brotli 4']),
    row('bundle', cells(weigh(bundle))),
    '',
    heading('Page', ['html gz', 'html br4', 'js gzip', 'js br4', 'css gzip', 'css br4']),
    ...pageRows(join(root, 'dist/client')),
  ]
  return lines.join('\n')
}

function pageRows(client: string): string[] {
  return globSync('**/*.html', { cwd: client })
    .sort()
    .map((path) => {
      const file = readFileSync(join(client, path))
      const html = weigh([file])
      const text = file.toString()
      const js = weigh(loaded(client, scriptsOf(text)))
      const css = weigh(
        loaded(client, [...text.matchAll(/href="(\/_astro\/[^"]+\.css)"/g)].map(pathOf)),
      )
      const values = [html, js, css].flatMap(({ gzip, brotli4 }) => [
        kilobytes(gzip),
        kilobytes(brotli4),
      ])
      return row(`/${path.replace(/(^|\/)index\.html$|\.html$/, '')}`, values)
    })
}

const pathOf = (match: RegExpMatchArray) => match[1] ?? ''

/** Scripts in the page's tags and in its islands' attributes. */
function scriptsOf(html: string): string[] {
  const tags = html.matchAll(/(?:src|component-url|renderer-url|href)="(\/_astro\/[^"]+\.js)"/g)
  return [...tags].map(pathOf)
}

/** The files at these paths and, through their static imports, all that come with them, each once. */
function loaded(client: string, paths: string[]): Buffer[] {
  const seen = new Map<string, Buffer>()
  const visit = (path: string) => {
    const file = join(client, path)
    if (seen.has(path) || !existsSync(file)) return
    const content = readFileSync(file)
    seen.set(path, content)
    for (const match of content.toString().matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) {
      visit(`/_astro/${pathOf(match)}`)
    }
  }
  paths.forEach(visit)
  return [...seen.values()]
}

const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1)
const cells = ({ raw, gzip, brotli4 }: Weight) => [raw, gzip, brotli4].map(kilobytes)
const row = (name: string, values: string[]) =>
  `  ${name.padEnd(28)}${values.map((value) => value.padStart(10)).join('')}`
const heading = (name: string, values: string[]) => row(`${name} (KB)`, values)
