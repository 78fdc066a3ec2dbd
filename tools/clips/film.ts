import { link, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { frame } from './budget.ts'
import type { Clip } from './clip.ts'
import { scenePage } from './page.ts'
import { installPlayer } from './player.ts'

/** File name of the nth frame of a film, counted from 1 as ffmpeg does. */
export const frameName = (index: number): string => `${String(index).padStart(5, '0')}.png`

/** Opens a scene at its first moment, with its letters loaded and its clock stopped. */
export async function openScene(browser: Browser, clip: Clip): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: frame.width, height: frame.height } })
  await page.setContent(await scenePage(clip))
  await page.evaluate(() => Promise.all([...document.fonts].map((face) => face.load())))
  await page.evaluate(installPlayer)
  return page
}

/** Photographs the scene as it is at one moment, `look` naming classes of `style/still.css`. */
export async function photograph(page: Page, atMs: number, look = ''): Promise<Buffer> {
  await page.evaluate((ms) => window.renderAt(ms), atMs)
  await page.evaluate((names) => (document.body.className = names), look)
  return page.screenshot({ type: 'png' })
}

/**
 * Films a scene into numbered PNG files in `folder` and answers how many there are.
 * A picture equal to the one before is linked instead of photographed again.
 */
export async function filmScene(page: Page, clip: Clip, folder: string): Promise<number> {
  const count = Math.round((clip.durationMs / 1000) * frame.perSecond)
  let shown = ''
  let newest = ''
  for (let index = 1; index <= count; index += 1) {
    const path = join(folder, frameName(index))
    const atMs = ((index - 1) * 1000) / frame.perSecond
    const fingerprint = await page.evaluate((ms) => window.renderAt(ms), atMs)
    if (fingerprint === shown) {
      await link(newest, path)
      continue
    }
    await writeFile(path, await page.screenshot({ type: 'png' }))
    shown = fingerprint
    newest = path
  }
  return count
}
