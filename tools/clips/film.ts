import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { brand } from '../../site/brand.ts'
import type { Scene } from './scenes.ts'

export const frame = { width: 1280, height: 800, perSecond: 30 } as const

const packaged = (file: string): string =>
  fileURLToPath(import.meta.resolve(`@fontsource-variable/${file}.woff2`))

const fonts = [
  // The face of the overlay and of headings, as on the pages.
  [
    'Bricolage',
    fileURLToPath(new URL('../../public/fonts/bricolage.woff2', import.meta.url)),
    '400 800',
  ],
  ['Inter', packaged('inter/files/inter-latin-wght-normal'), '100 900'],
  ['JetBrains Mono', packaged('jetbrains-mono/files/jetbrains-mono-latin-wght-normal'), '100 800'],
] as const

const { paper, ink, muted, marker, onMarker, dark } = brand.colour

export const themes = ['light', 'dark'] as const
export type Theme = (typeof themes)[number]

const both = {
  '--marker': marker,
  '--on-marker': onMarker,
  '--on-dark': dark.ink,
  '--tag': paper,
}

/** The brand's colours in a film. */
export const FILM_COLOURS: Record<Theme, Record<string, string>> = {
  light: { ...both, '--paper': paper, '--ink': ink, '--quiet': muted },
  dark: { ...both, '--desk': dark.paper, '--ink': dark.ink, '--quiet': dark.muted },
}

async function fontFace([family, path, weights]: (typeof fonts)[number]): Promise<string> {
  const source = `url(data:font/woff2;base64,${await readFile(path, 'base64')})`
  return `@font-face { font-family: '${family}'; font-weight: ${weights}; src: ${source} }`
}

declare global {
  interface Window {
    renderAt: (atMs: number) => string
  }
}

/**
 * Runs in the filmed page: pauses every animation and lets `renderAt(ms)` set their clock. That returns a fingerprint
 * of the picture, so that the same picture is not taken twice.
 */
function installPlayer(): void {
  const animations = document.getAnimations()
  for (const animation of animations) animation.pause()
  window.renderAt = (atMs) => {
    for (const animation of animations) animation.currentTime = atMs
    return animations
      .map(({ effect }) => String(effect?.getComputedTiming().progress ?? 'none'))
      .join(' ')
  }
}

/** Opens a scene with its fonts loaded and its clock stopped. Nothing is fetched. */
export async function openScene(browser: Browser, scene: Scene, theme: Theme): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: frame.width, height: frame.height } })
  const style = await readFile(new URL('./scenes.css', import.meta.url), 'utf8')
  const faces = await Promise.all(fonts.map(fontFace))
  const colours = Object.entries(FILM_COLOURS[theme]).map(([name, colour]) => `${name}: ${colour}`)
  await page.setContent(`<!doctype html><html lang="en" class="${theme}"><head><meta charset="utf-8">
    <style>${faces.join('\n')}\n${style}\n:root { ${colours.join('; ')} }</style></head><body>${scene.html}</body></html>`)
  await page.evaluate(() => Promise.all([...document.fonts].map((face) => face.load())))
  await page.evaluate(installPlayer)
  return page
}

/** Takes a PNG of a scene's still: the whole, or the part for narrow screens. */
export async function photograph(page: Page, scene: Scene, isNarrow: boolean): Promise<Buffer> {
  await page.evaluate((ms) => window.renderAt(ms), scene.stillAtMs)
  await page.evaluate(
    (names) => (document.body.className = names),
    isNarrow ? 'still narrow' : 'still',
  )
  const { width, height } = frame
  const clip = isNarrow
    ? { x: scene.narrowLeft, y: 0, width: height, height }
    : { x: 0, y: 0, width, height }
  return page.screenshot({ type: 'png', clip })
}

/** Writes every frame of a scene to `folder`, named `00001.png` and so on. */
export async function filmScene(page: Page, scene: Scene, folder: string): Promise<void> {
  const count = Math.round((scene.durationMs / 1000) * frame.perSecond)
  let shown = ''
  let picture: Uint8Array = new Uint8Array()
  for (let index = 0; index < count; index += 1) {
    const atMs = (index * 1000) / frame.perSecond
    const fingerprint = await page.evaluate((ms) => window.renderAt(ms), atMs)
    if (fingerprint !== shown) picture = await page.screenshot({ type: 'png' })
    shown = fingerprint
    await writeFile(join(folder, `${String(index + 1).padStart(5, '0')}.png`), picture)
  }
}
