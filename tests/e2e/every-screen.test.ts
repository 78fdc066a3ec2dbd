import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { updateProfileEndpoint } from '../../src/contract/account.ts'
import { NOT_ME } from '../../src/contract/credential.ts'
import { FIELD } from '../../src/contract/messages.ts'
import { createMember } from '../harness/member.ts'
import { openPage, type PageOptions } from '../harness/open-page.ts'
import { axeFindings, bringAxe } from './support/axe.ts'
import { REFUSED } from './support/complaints.ts'
import { registeredPerson, resetPath, signInBrowser, useOverDays } from './support/person.ts'

// Every screen of the app in two sizes and both themes: axe finds nothing, and no text is cut off, at 200 % zoom either.

interface Screen {
  path: string
  /** The heading that shows that the screen is ready. */
  heading: string | RegExp
  /** Opens a dialog, a menu or an error to check as well. */
  open?: (page: Page) => Promise<void>
}

/** Presses the visible button of that name: narrow screens have another one for the menu. */
const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).filter({ visible: true }).first().click()

/** Opens a dialog and waits for its name. */
const dialog = (button: string | RegExp, name: string) => async (page: Page) => {
  await press(button)(page)
  await page.getByRole('dialog', { name }).waitFor()
}

const send = (button: string, problem: string) => async (page: Page) => {
  await press(button)(page)
  await page.getByText(problem, { exact: true }).first().waitFor()
}

const GUEST_SCREENS: Screen[] = [
  { path: '/login?ended=1', heading: 'Sign in', open: send('Sign in', FIELD.emailRequired) },
  { path: '/login', heading: 'Sign in', open: dialog(/Google/, 'Coming Soon') },
  {
    path: '/register',
    heading: 'Create your account',
    open: send('Create account', FIELD.usernameRequired),
  },
  { path: '/forgot-password', heading: /Forgot your password/ },
  { path: '/reset-password/x', heading: 'This link does not work' },
  { path: '/verify-email/x', heading: 'Verification failed' },
  {
    path: '/not-me/x',
    heading: 'Was this not you?',
    open: send('Lock my account', NOT_ME.invalid),
  },
  { path: '/subscription', heading: 'Pro', open: dialog('Buy Now', 'Sign in to continue') },
  {
    path: '/contact',
    heading: 'Contact Support',
    open: send('Submit ticket', FIELD.emailRequired),
  },
  {
    path: '/careers',
    heading: 'Open Positions',
    open: dialog('Software Engineer', 'Software Engineer'),
  },
  {
    // A different address, because reloading the same one keeps its job open.
    path: '/careers?again',
    heading: 'Open Positions',
    open: async (page) => {
      await dialog('Software Engineer', 'Software Engineer')(page)
      await dialog('Apply Now', 'Apply for Software Engineer')(page)
      await send('Submit application', FIELD.emailRequired)(page)
    },
  },
]

/** The form behind a mailed link that works. */
const newPasswordScreen = (path: string): Screen => ({
  path,
  heading: 'Set a new password',
  open: send('Reset password', FIELD.passwordRequired),
})

/** For an account that was just created. */
const NEWCOMER_SCREENS: Screen[] = [
  { path: '/dashboard', heading: 'Last purchases' },
  { path: '/profile', heading: 'Profile', open: press('Edit profile') },
  {
    path: '/profile?tab=security',
    heading: 'Your data',
    open: dialog('Delete my account', 'Delete your account?'),
  },
  { path: '/settings', heading: 'Preferences' },
  {
    path: '/device',
    heading: 'Connect the desktop app',
    open: send('Continue', 'Please enter the eight letters that the app shows'),
  },
  { path: '/subscription/success', heading: 'Payment Verification Failed' },
  {
    path: '/subscription/cancel?reason=processing_error&payment_id=pay_x&error=y',
    heading: 'Processing Error',
  },
]

/** For an account with a plan, thirty days of usage and a long name. */
const BUYER_SCREENS: Screen[] = [
  {
    path: '/dashboard',
    heading: 'Last 30 days',
    open: (page) => page.getByText('Show as a table').click(),
  },
  { path: '/dashboard', heading: 'Last 30 days', open: press(/Notifications/) },
  { path: '/dashboard', heading: 'Last 30 days', open: press(/Your account|^Menu/) },
  { path: '/dashboard?buy=tokens', heading: 'Purchase More Tokens' },
  { path: '/profile', heading: 'Profile' },
  {
    path: '/profile?tab=subscription',
    heading: 'Purchases',
    open: dialog('Cancel subscription', 'Cancel your plan?'),
  },
  { path: '/profile?tab=security', heading: 'Change password' },
  { path: '/subscription', heading: 'Pro' },
  {
    path: '/dashboard',
    heading: 'Last 30 days',
    open: async (page) => {
      await page.getByRole('link', { name: /^R-/ }).first().click()
      await page.getByRole('heading', { name: /^Receipt R-/ }).waitFor()
    },
  },
]

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
    const problems = await page.evaluate(findCut)
    problems.push(...(await axeFindings(page)))
    await page.setViewportSize(ZOOMED)
    problems.push(...(await page.evaluate(findCut)).map((problem) => `zoomed, ${problem}`))
    await page.setViewportSize({ width: look.width, height: look.height })
    found.push(...problems.map((problem) => `${path}: ${problem}`))
  }
  return found
}

/** Runs in the page: returns whether it scrolls sideways and each text that leaves the screen or is cut off by its box. */
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

/** A member with a plan, thirty days of usage and names that are hard to fit. */
async function busyMember() {
  const member = await createMember({ hasPlan: true })
  await useOverDays(member.userId, 30)
  const { path, method } = updateProfileEndpoint
  const firstName = 'Maximiliane-Alexandra'
  const lastName = 'von Hohenstein-Wittgenstein'
  await member.call(path, { method, json: { firstName, lastName, bio: '', phone: '' } })
  return member
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
