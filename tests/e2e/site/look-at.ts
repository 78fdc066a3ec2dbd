import type { Page } from 'playwright-core'
import { openPage } from '../../harness/open-page.ts'
import { axeFindings, bringAxe } from '../support/axe.ts'
import { PUBLIC_PATHS } from './pages.ts'
import { openSettled } from './settled.ts'

/** Opens at most this many. No page has more questions, and the API's description repeats one layout for each call. */
const MOST_OPENED = 10

/** A window of 1280 px has 640 px left at 200 % zoom. */
const WIDTHS = [
  { width: 1280, hasAxe: true },
  { width: 640, hasAxe: false },
  { width: 360, hasAxe: true },
  { width: 320, hasAxe: false },
]

/** The problems of the public pages at each width: what axe finds in both themes, and sideways scrolling. */
export async function faultsOfPublicPages(): Promise<string[]> {
  const { page } = await openPage({ width: 1280, reducedMotion: 'reduce' })
  await bringAxe(page)
  const found: string[] = []
  for (const path of [...PUBLIC_PATHS, '/api/docs']) {
    await openSettled(page, path)
    await page.evaluate((most) => {
      const questions = [...document.querySelectorAll('details')]
      for (const question of questions.slice(0, most)) question.open = true
    }, MOST_OPENED)
    for (const { width, hasAxe } of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      const faults = (await isCut(page)) ? ['scrolls sideways'] : []
      if (hasAxe) faults.push(...(await axeFindings(page)))
      found.push(...faults.map((fault) => `${path} at ${width} px: ${fault}`))
    }
  }
  return found
}

function isCut(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
}
