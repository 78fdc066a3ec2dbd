import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { openPage } from '../../harness/open-page.ts'
import { PUBLIC_PATHS } from './pages.ts'
import { openSettled } from './settled.ts'

/** What depends on the theme; all else is judged once, in the light one. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** What axe finds on the public pages at this width in both themes, every question opened, and which scroll sideways. */
export async function faultsAt(width: number): Promise<string[]> {
  const { page } = await openPage({ width, colorScheme: 'light', reducedMotion: 'reduce' })
  const found: string[] = []
  for (const path of PUBLIC_PATHS) {
    await page.emulateMedia({ colorScheme: 'light' })
    await openSettled(page, path)
    await page.evaluate(() => {
      for (const question of document.querySelectorAll('details')) question.open = true
    })
    found.push(...(await axe(new AxeBuilder({ page }), `${path} light`)))
    if (await isCut(page)) found.push(`${path} scrolls sideways`)
    await page.emulateMedia({ colorScheme: 'dark' })
    found.push(...(await axe(new AxeBuilder({ page }).withRules(COLOUR_RULES), `${path} dark`)))
  }
  return found
}

async function axe(builder: AxeBuilder, where: string): Promise<string[]> {
  const { violations } = await builder.analyze()
  return violations.map(({ id, nodes }) => `${where} ${id}: ${nodes[0]?.html ?? ''}`)
}

export function isCut(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
}
