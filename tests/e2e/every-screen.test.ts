import { expect, test } from 'vitest'
import { openPage, type PageOptions } from '../harness/open-page.ts'
import { axeFindings, bringAxe } from './support/axe.ts'
import { REFUSED } from './support/complaints.ts'
import { registeredPerson, resetPath, signInBrowser } from './support/person.ts'
import {
  busyMember,
  BUYER_SCREENS,
  GUEST_SCREENS,
  NEWCOMER_SCREENS,
  newPasswordScreen,
  type Screen,
} from './support/screens.ts'

// Every screen of the app in two sizes and both themes: axe finds nothing, and no text is cut off, at 200 % zoom either.

interface Look extends Omit<PageOptions, 'colorScheme'> {
  width: number
  height: number
  screens: Screen[]
  /** The bearer token of the account; a guest when left out. */
  token?: string
}

/** The size of a window of 1280 by 900 at 200 % zoom. */
const ZOOMED = { width: 640, height: 450 }

/**
 * Returns the problems of these screens, one line each: sideways scroll and cut text at this size and zoomed, and what
 * axe finds at this size in both themes.
 */
async function problemsOf({ screens, token, ...look }: Look): Promise<string[]> {
  const { page } = await openPage({ ...look, reducedMotion: 'reduce', mayComplain: REFUSED })
  await bringAxe(page)
  if (token !== undefined) await signInBrowser(page, token)
  const found: string[] = []
  for (const { path, heading, open } of screens) {
    await page.goto(path, { waitUntil: 'domcontentloaded' })
    await page.getByRole('heading', { name: heading }).first().waitFor()
    if (open !== undefined) await open(page)
    const problems = await page.evaluate(findFaults)
    problems.push(...(await axeFindings(page)))
    await page.setViewportSize(ZOOMED)
    problems.push(...(await page.evaluate(findFaults)).map((problem) => `zoomed, ${problem}`))
    await page.setViewportSize({ width: look.width, height: look.height })
    found.push(...problems.map((problem) => `${path}: ${problem}`))
  }
  return found
}

/**
 * Runs in the page: returns whether it scrolls sideways, each text that leaves the screen or is cut off by its box, and
 * each button that looks as browsers draw it, because the page lacks its style.
 */
function findFaults(): string[] {
  const found = document.documentElement.scrollWidth > innerWidth ? ['scrolls sideways'] : []
  for (const button of document.querySelectorAll('button')) {
    if (getComputedStyle(button).borderTopStyle === 'outset')
      found.push(`without a style: ${button.innerText}`)
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

const SIZES = [
  { width: 1280, height: 900 },
  { width: 360, height: 780 },
]

test.each(SIZES)('the screens of a guest, $width px wide', async (size) => {
  const { email } = await registeredPerson()
  const screens = [...GUEST_SCREENS, newPasswordScreen(await resetPath(email))]
  expect(await problemsOf({ ...size, screens })).toEqual([])
})

test.each(SIZES)('the screens of a new account, $width px wide', async (size) => {
  const { token } = await registeredPerson()
  expect(await problemsOf({ ...size, screens: NEWCOMER_SCREENS, token })).toEqual([])
})

test.each(SIZES)('the screens of an account with a plan, $width px wide', async (size) => {
  const { bearer } = await busyMember()
  expect(await problemsOf({ ...size, screens: BUYER_SCREENS, token: bearer })).toEqual([])
})
