import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { openPage } from '../../harness/open-page.ts'
import { PUBLIC_PATHS } from './pages.ts'
import { openSettled } from './settled.ts'

/** What axe finds on the public pages at this width and theme, every question opened, and which scroll sideways. */
export async function faultsAt(width: number, colorScheme: 'light' | 'dark'): Promise<string[]> {
  const { page } = await openPage({ width, colorScheme, reducedMotion: 'reduce' })
  const found: string[] = []
  for (const path of PUBLIC_PATHS) {
    await openSettled(page, path)
    await page.evaluate(() => {
      for (const question of document.querySelectorAll('details')) question.open = true
    })
    const { violations } = await new AxeBuilder({ page }).analyze()
    found.push(...violations.map(({ id, nodes }) => `${path} ${id}: ${nodes[0]?.html ?? ''}`))
    if (await isCut(page)) found.push(`${path} scrolls sideways`)
  }
  return found
}

export function isCut(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
}
