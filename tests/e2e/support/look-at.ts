import { openPage, type PageOptions } from '../../harness/open-page.ts'
import { axeFindings, bringAxe } from './axe.ts'
import { REFUSED } from './complaints.ts'
import { signInBrowser } from './person.ts'
import type { Screen } from './screens.ts'

interface Look extends Omit<PageOptions, 'colorScheme'> {
  width: number
  height: number
  screens: Screen[]
  /** Whose screens they are; without it a guest's. */
  token?: string
}

/** What a window of 1280 by 900 has left at 200 % zoom. */
const ZOOMED = { width: 640, height: 450 }

/**
 * What is wrong with screens, one line each: sideways scroll and cut text at this size and zoomed, axe's findings at
 * this size in both themes.
 */
export async function lookAt({ screens, token, ...look }: Look): Promise<string[]> {
  const { page } = await openPage({ ...look, reducedMotion: 'reduce', mayComplain: REFUSED })
  await bringAxe(page)
  if (token !== undefined) await signInBrowser(page, token)
  const found: string[] = []
  for (const { path, heading, open } of screens) {
    await page.goto(path, { waitUntil: 'domcontentloaded' })
    await page.getByRole('heading', { name: heading }).first().waitFor()
    if (open !== undefined) await open(page)
    const problems = await page.evaluate(findCut)
    problems.push(...(await axeFindings(page)))
    await page.setViewportSize(ZOOMED)
    problems.push(...(await page.evaluate(findCut)).map((problem) => `zoomed, ${problem}`))
    await page.setViewportSize({ width: look.width, height: look.height })
    found.push(...problems.map((problem) => `${path}: ${problem}`))
  }
  return found
}

/** Runs in the page: does it scroll sideways, does a text stick out of the screen or of the box that cuts it off? */
function findCut(): string[] {
  const found = document.documentElement.scrollWidth > innerWidth ? ['scrolls sideways'] : []
  const selector = 'h1, h2, h3, p, a, button, label, dt, dd, th, td, li'
  for (const element of document.querySelectorAll<HTMLElement>(selector)) {
    if (!element.checkVisibility() || element.closest('.visually-hidden, .skip') !== null) continue
    const { overflowX, textOverflow } = getComputedStyle(element)
    const isCut = overflowX === 'hidden' && element.scrollWidth > element.clientWidth + 1
    const isOut = element.getBoundingClientRect().right > innerWidth + 1
    const mayScroll = element.closest('.table-scroll, .tabs') !== null
    if ((isCut && textOverflow !== 'ellipsis') || (isOut && !mayScroll)) {
      found.push(`cut off: ${element.innerText.slice(0, 60)}`)
    }
  }
  return found
}
