import type { Page } from 'playwright-core'
import { openPage } from '../../harness/open-page.ts'
import { axeFindings } from '../support/axe.ts'
import { PUBLIC_PATHS } from './pages.ts'
import { openSettled } from './settled.ts'

/** More than any list of questions has; the API's description repeats itself in each of its many calls. */
const MOST_OPENED = 10

/** What axe finds on the public pages at this width in both themes, questions opened, and which scroll sideways. */
export async function faultsAt(width: number): Promise<string[]> {
  const { page } = await openPage({ width, reducedMotion: 'reduce' })
  const found: string[] = []
  for (const path of [...PUBLIC_PATHS, '/api/docs']) {
    await openSettled(page, path)
    await page.evaluate((most) => {
      const questions = [...document.querySelectorAll('details')]
      for (const question of questions.slice(0, most)) question.open = true
    }, MOST_OPENED)
    if (await isCut(page)) found.push(`${path} scrolls sideways`)
    found.push(...(await axeFindings(page)).map((finding) => `${path} ${finding}`))
  }
  return found
}

export function isCut(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
}
