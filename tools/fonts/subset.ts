/**
 * Cuts the display face down to the one cut and the letters the site writes with it
 * (docs/decisions/0020-one-cut-of-the-display-face.md) and prints the metrics that the fallback faces in
 * site/styles/token.css are matched to. Run by hand after the face changes: `node tools/fonts/subset.ts`;
 * the result in public/fonts is committed.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

const SOURCE = import.meta
  .resolve('@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-standard-normal.woff2')
const OUTPUT = new URL('../../public/fonts/bricolage.woff2', import.meta.url)
const LIMIT_BYTES = 25_000
const CUT = { opsz: 48, wdth: 100, wght: 620 }

/** Basic Latin and the marks our texts use. The face has no rupee sign: the system's font steps in for it. */
const letters = Array.from({ length: 95 }, (_, index) => String.fromCodePoint(32 + index)).join('')
const marks = '\u00a0©·–—‘’“”…→'

const font = await subsetFont(await readFile(fileURLToPath(SOURCE)), letters + marks, {
  targetFormat: 'woff2',
  variationAxes: CUT,
  noLayoutClosure: true,
})
if (font.byteLength > LIMIT_BYTES) {
  throw new Error(`The subset has ${font.byteLength} bytes; the budget is ${LIMIT_BYTES}.`)
}
await writeFile(OUTPUT, font)
console.log(`public/fonts/bricolage.woff2: ${font.byteLength} bytes`)
