import type { Page } from 'playwright-core'
import { updateProfileEndpoint } from '../../../src/contract/account.ts'
import { FIELD } from '../../../src/contract/field-messages.ts'
import { NOT_ME } from '../../../src/contract/messages.ts'
import { createUser } from '../../harness/user.ts'
import { useOverDays } from './user.ts'
import { BUY } from './checkout.ts'

// Every screen of the app, and how to get there.

export interface Screen {
  path: string
  /** The heading that shows that the screen is ready. */
  heading: string | RegExp
  /** Opens a dialog, a menu or an error to check as well. */
  open?: (page: Page) => Promise<void>
  /** Left out in the dark, because another screen has all its colours. */
  isLightOnly?: boolean
}

/** The screens that one account sees, for `npm run look`. */
export interface Viewer {
  who: string
  /** The bearer token of the account; a guest when left out. */
  token?: string
  screens: readonly Screen[]
  /** What has to be done in each new window before a screen opens. */
  enter?: (page: Page) => Promise<void>
}

export const dashboard: Screen = { path: '/dashboard', heading: 'Last purchases' }
export const subscription: Screen = { path: '/profile?tab=subscription', heading: 'Purchases' }

/** Presses the visible button of that name: narrow screens have another one for the menu. */
export const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).filter({ visible: true }).first().click()

/** Verifies the address of a mailed link as the first key does: a pointer on its way to the button would, too. */
export async function verifyByKey(page: Page) {
  await page.locator('button:enabled', { hasText: 'Verify email address' }).waitFor()
  await page.keyboard.press('Shift')
}

/** Opens a dialog and waits for its name. */
export const dialog = (button: string | RegExp, name: string) => async (page: Page) => {
  await press(button)(page)
  await page.getByRole('dialog', { name }).waitFor()
}

const send = (button: string, problem: string) => async (page: Page) => {
  await press(button)(page)
  await page.getByText(problem, { exact: true }).first().waitFor()
}

export const GUEST_SCREENS: Screen[] = [
  { path: '/login?ended=1', heading: 'Sign in', open: send('Sign in', FIELD.emailRequired) },
  { path: '/login', heading: 'Sign in', open: dialog(/Google/, 'Coming Soon') },
  {
    path: '/register',
    heading: 'Create your account',
    open: send('Create account', FIELD.usernameRequired),
  },
  { path: '/forgot-password', heading: /Forgot your password/ },
  {
    path: '/reset-password/x',
    heading: 'This link does not work',
    open: async (page) => {
      await page.locator('h1:focus', { hasText: 'This link does not work' }).waitFor()
      await page.getByRole('link', { name: 'Request a new link' }).waitFor()
    },
  },
  {
    path: '/verify-email/x',
    heading: 'Verify your email',
    open: async (page) => {
      await verifyByKey(page)
      await press('Try Again')(page)
      await page.locator('h1:focus', { hasText: 'Verification failed' }).waitFor()
      await page.getByRole('link', { name: 'Go to Login' }).waitFor()
      await page.getByRole('main').getByRole('link', { name: 'Contact Support' }).waitFor()
    },
  },
  {
    path: '/not-me/x',
    heading: 'Was this not you?',
    open: send('Lock my account', NOT_ME.invalid),
  },
  { path: '/subscription', heading: 'Pro', open: dialog(BUY, 'Sign in to continue') },
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
export const newPasswordScreen = (path: string): Screen => ({
  path,
  heading: 'Set a new password',
  open: send('Reset password', FIELD.passwordRequired),
})

/** For an account that was just created. */
export const NEWCOMER_SCREENS: Screen[] = [
  { path: '/dashboard', heading: 'Last purchases' },
  { path: '/profile', heading: 'Profile', open: press('Edit profile') },
  {
    path: '/profile?tab=security',
    heading: 'Your data',
    open: dialog('Delete my account', 'Delete your account?'),
  },
  { path: '/profile?tab=preferences', heading: 'Preferences' },
  {
    path: '/device',
    heading: 'Connect the desktop app',
    open: send('Continue', 'Please enter the eight letters shown in the app'),
  },
  { path: '/subscription/success', heading: 'Payment Verification Failed' },
  {
    path: '/subscription/cancel?reason=processing_error&payment_id=pay_x&error=y',
    heading: 'Processing Error',
    open: (page) => page.getByText('Check there before you try again.').waitFor(),
  },
]

/** For an account with a plan, thirty days of usage and a long name. */
export const BUYER_SCREENS: Screen[] = [
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
  {
    path: '/profile?tab=subscription',
    heading: 'Refunds',
    open: async (page) => {
      await dialog(
        'Get a refund (withdraw from contract)',
        'Withdraw from this contract and get a refund?',
      )(page)
      await page.getByText('You get back').waitFor()
    },
  },
  {
    path: '/tokens',
    heading: 'Your tokens',
    open: (page) => page.getByRole('link', { name: 'Pro', exact: true }).waitFor(),
  },
  { path: '/profile?tab=security', heading: 'How you sign in' },
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

/** A user with a plan, thirty days of usage and names that are hard to fit. */
export async function busyUser() {
  const user = await createUser({ hasPlan: true })
  await useOverDays(user.userId, 30)
  const { path, method } = updateProfileEndpoint
  const firstName = 'Maximiliane-Alexandra'
  const lastName = 'von Hohenstein-Wittgenstein'
  await user.call(path, { method, json: { firstName, lastName, bio: '', phone: '' } })
  return user
}
