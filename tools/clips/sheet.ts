import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import type { Clip } from './clip.ts'
import { openScene, photograph } from './film.ts'

const columns = 3

/** Photographs a scene at evenly spaced moments, for looking at while it is being drawn. */
export async function contactSheet(browser: Browser, clip: Clip, folder: string, shots: number) {
  await mkdir(folder, { recursive: true })
  const page = await openScene(browser, clip)
  const pictures: string[] = []
  for (let index = 0; index < shots; index += 1) {
    const png = await photograph(page, (clip.durationMs * (index + 0.5)) / shots)
    pictures.push(`<img src="data:image/png;base64,${png.toString('base64')}">`)
  }
  await writeFile(join(folder, `${clip.slug}.png`), await photograph(page, clip.posterAtMs))
  const style = `body{margin:0;display:grid;grid-template-columns:repeat(${String(columns)},640px);gap:8px}img{width:640px}`
  await page.setContent(`<style>${style}</style>${pictures.join('')}`)
  await page.setViewportSize({ width: columns * 648 - 8, height: 100 })
  await page.screenshot({ path: join(folder, `${clip.slug}-sheet.png`), fullPage: true })
  await page.close()
}
