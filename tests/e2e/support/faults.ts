import { openPage } from '../../harness/open-page.ts'
import { openSettled } from '../site/settled.ts'
import { axeFindings, bringAxe } from './axe.ts'
import { REJECTED } from './console-errors.ts'
import { signInBrowser } from './user.ts'
import type { Screen } from './screens.ts'

const PHONE = { width: 360, height: 780 }
/** The size of a window of 1280 by 900 at 200 % zoom. */
const ZOOMED = { width: 640, height: 450 }
const DESKTOP = { width: 1280, height: 900 }

/**
 * Returns what axe finds on these screens and what text is cut off, one line each: as a guest, or as the account with this
 * bearer token. A phone is light and a desktop dark, so that each screen is opened once, and a page only once for several
 * screens in a row. In the dark only colours differ, and what a desktop alone shows, such as the bar, the first screen has.
 */
export async function problemsOf(screens: readonly Screen[], token?: string): Promise<string[]> {
  const { page } = await openPage({ ...PHONE, mayLog: REJECTED })
  await bringAxe(page)
  if (token !== undefined) await signInBrowser(page, token)
  const found: string[] = []
  for (const [nth, { path, heading, open, isLightOnly }] of screens.entries()) {
    const look = async (size: typeof PHONE) => {
      await page.setViewportSize(size)
      const faults = await page.evaluate(findFaults)
      found.push(...faults.map((fault) => `${path} at ${size.width} px: ${fault}`))
    }
    const judge = async (colorScheme: 'light' | 'dark', rules?: string[]) => {
      const faults = await axeFindings(page, colorScheme, rules)
      found.push(...faults.map((fault) => `${path}, ${colorScheme}: ${fault}`))
    }
    if (path === screens[nth - 1]?.path) await page.keyboard.press('Escape')
    else await openSettled(page, path)
    await page.getByRole('heading', { name: heading }).first().waitFor()
    await open?.(page)
    await look(PHONE)
    await judge('light')
    await look(ZOOMED)
    await look(DESKTOP)
    if (isLightOnly !== true) await judge('dark', nth > 0 ? ['color-contrast'] : undefined)
    await page.setViewportSize(PHONE)
  }
  return found
}

/**
 * Runs in the page: returns whether it scrolls sideways, each text that leaves the screen or is cut off by its box, each
 * button without a border, because the page lacks its style, and each password for which a password manager knows no account.
 */
function findFaults(): string[] {
  const found = document.documentElement.scrollWidth > innerWidth ? ['scrolls sideways'] : []
  for (const button of document.querySelectorAll<HTMLElement>('.button')) {
    if (getComputedStyle(button).borderTopStyle === 'none')
      found.push(`without a style: ${button.innerText}`)
  }
  for (const form of document.querySelectorAll<HTMLElement>('form:has([type=password])')) {
    if (form.querySelector('[autocomplete~=username]') === null)
      found.push('a password without the account that it belongs to')
  }
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
