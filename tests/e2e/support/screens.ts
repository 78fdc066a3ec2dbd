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

/** A screen: its address, the heading that shows that it is ready, and what is opened on it. */
export const screen = (
  path: string,
  heading: string | RegExp,
  open: (page: Page) => Promise<void> = () => Promise.resolve(),
): Screen => ({ path, heading, open })

export const dashboard = screen('/dashboard', 'Last purchases')
export const subscription = screen('/profile?tab=subscription', 'Purchases')

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

/** Opens the dialog of a buyer who withdraws. */
export const withdraw = dialog(
  'Get a refund (withdraw from contract)',
  'Withdraw from this contract and get a refund?',
)

const send = (button: string, problem: string) => async (page: Page) => {
  await press(button)(page)
  await page.getByText(problem, { exact: true }).first().waitFor()
}

async function openJob(page: Page) {
  await page.getByRole('link', { name: 'Software Engineer', exact: true }).click()
  await page.getByRole('dialog', { name: 'Software Engineer' }).waitFor()
}

/** Opens the form of an application. */
export async function openApplication(page: Page) {
  await openJob(page)
  await dialog('Apply Now', 'Apply for Software Engineer')(page)
}

export const GUEST_SCREENS: Screen[] = [
  screen('/login?ended=1', 'Sign in', send('Sign in', FIELD.emailRequired)),
  screen('/login', 'Sign in', dialog(/Google/, 'Coming Soon')),
  screen('/register', 'Create your account', send('Create account', FIELD.usernameRequired)),
  screen('/forgot-password', /Forgot your password/),
  screen('/reset-password/x', 'This link does not work', async (page) => {
    await page.locator('h1:focus', { hasText: 'This link does not work' }).waitFor()
    await page.getByRole('link', { name: 'Request a new link' }).waitFor()
  }),
  screen('/verify-email/x', 'Verify your email', async (page) => {
    await verifyByKey(page)
    await press('Try Again')(page)
    await page.locator('h1:focus', { hasText: 'Verification failed' }).waitFor()
    await page.getByRole('link', { name: 'Go to Login' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Contact Support' }).waitFor()
  }),
  screen('/not-me/x', 'Was this not you?', send('Lock my account', NOT_ME.invalid)),
  screen('/not-me', 'This link does not work', (page) =>
    page.getByText(NOT_ME.incomplete).waitFor(),
  ),
  screen('/subscription', 'Pro', dialog(BUY, 'Sign in to continue')),
  screen('/contact', 'Contact Support', send('Submit ticket', FIELD.emailRequired)),
  screen('/careers', 'Open Positions', openJob),
  // A different address, because reloading the same one keeps its job open.
  screen('/careers?again', 'Open Positions', async (page) => {
    await openApplication(page)
    await send('Submit application', FIELD.emailRequired)(page)
  }),
]

/** The form behind a mailed link that works. */
export const newPasswordScreen = (path: string): Screen =>
  screen(path, 'Set a new password', send('Reset password', FIELD.passwordRequired))

/** For an account that was just created. */
export const NEWCOMER_SCREENS: Screen[] = [
  dashboard,
  screen('/profile', 'Profile', press('Edit profile')),
  screen('/profile?tab=security', 'Your data', dialog('Delete my account', 'Delete your account?')),
  screen('/profile?tab=preferences', 'Preferences'),
  screen(
    '/device',
    'Connect the desktop app',
    send('Continue', 'Please enter the eight letters shown in the app'),
  ),
  screen('/subscription/success', 'Payment Verification Failed'),
  screen(
    '/subscription/cancel?reason=processing_error&payment_id=pay_x&error=y',
    'Processing Error',
    (page) => page.getByText('Check there before you try again.').waitFor(),
  ),
]

/** For an account with a plan, thirty days of usage and a long name. */
export const BUYER_SCREENS: Screen[] = [
  screen('/dashboard', 'Last 30 days', (page) => page.getByText('Show as a table').click()),
  screen('/dashboard', 'Last 30 days', press(/Notifications/)),
  screen('/dashboard', 'Last 30 days', press(/Your account|^Menu/)),
  screen('/dashboard', 'Last 30 days', async (page) => {
    await page.getByRole('link', { name: /^R-/ }).first().click()
    await page.getByRole('heading', { name: /^Receipt R-/ }).waitFor()
  }),
  screen('/dashboard?buy=tokens', 'Purchase More Tokens'),
  screen('/profile', 'Profile'),
  { ...subscription, open: dialog('Cancel subscription', 'Cancel your plan?') },
  screen('/profile?tab=subscription', 'Refunds', async (page) => {
    await withdraw(page)
    await page.getByText('You get back').waitFor()
  }),
  screen('/tokens', 'Your tokens', (page) =>
    page.getByRole('link', { name: 'Pro', exact: true }).waitFor(),
  ),
  screen('/profile?tab=security', 'How you sign in'),
  screen('/subscription', 'Pro'),
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
