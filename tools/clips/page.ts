import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Clip } from './clip.ts'

const faces = [
  [
    'Bricolage',
    '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-opsz-normal.woff2',
    '200 800',
  ],
  ['Inter', '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2', '100 900'],
  [
    'JetBrains Mono',
    '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
    '100 800',
  ],
] as const

const sheets = ['stage', 'call', 'slip', 'drawing', 'motion', 'still'] as const

async function fontFace([family, file, weights]: (typeof faces)[number]): Promise<string> {
  const bytes = await readFile(fileURLToPath(import.meta.resolve(file)))
  const source = `url(data:font/woff2;base64,${bytes.toString('base64')})`
  return `@font-face { font-family: '${family}'; font-weight: ${weights}; src: ${source} }`
}

/** The whole document of a scene, with its styles and letters inside, so nothing is fetched. */
export async function scenePage(clip: Clip): Promise<string> {
  const fonts = await Promise.all(faces.map(fontFace))
  const styles = await Promise.all(
    sheets.map((name) => readFile(new URL(`./style/${name}.css`, import.meta.url), 'utf8')),
  )
  const head = `<meta charset="utf-8"><title>${clip.title}</title>`
  const style = `<style>${[...fonts, ...styles].join('\n')}</style>`
  return `<!doctype html><html lang="en"><head>${head}${style}</head><body>${clip.html}</body></html>`
}
