import type { Page } from 'playwright-core'

export interface Screen {
  path: string
  /** What shows that the screen is ready. */
  heading: string | RegExp
  /** Opens what is to be looked at besides. */
  open?: (page: Page) => Promise<void>
}

/** Presses the button of that name that is to be seen; narrow screens have another one for the menu. */
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

export const GUEST_SCREENS: Screen[] = [
  { path: '/login?ended=1', heading: 'Sign in', open: send('Sign in', 'Email is required') },
  { path: '/login', heading: 'Sign in', open: dialog(/Google/, 'Coming Soon') },
  {
    path: '/register',
    heading: 'Create your account',
    open: send('Create account', 'Username is required'),
  },
  { path: '/forgot-password', heading: /Forgot your password/ },
  { path: '/reset-password/x', heading: 'This link does not work' },
  { path: '/verify-email/x', heading: 'Verification failed' },
  { path: '/subscription', heading: 'Pro', open: dialog('Buy Now', 'Sign in to continue') },
  {
    path: '/contact',
    heading: 'Contact Support',
    open: send('Submit ticket', 'Email is required'),
  },
  {
    path: '/careers',
    heading: 'Open Positions',
    open: dialog('Software Engineer', 'Software Engineer'),
  },
  {
    // Another address than before: the same one loaded again keeps its job open.
    path: '/careers?again',
    heading: 'Open Positions',
    open: async (page) => {
      await dialog('Software Engineer', 'Software Engineer')(page)
      await dialog('Apply Now', 'Apply for Software Engineer')(page)
      await send('Submit application', 'Email is required')(page)
    },
  },
]

/** The form behind a mailed link that works. */
export const newPasswordScreen = (path: string): Screen => ({
  path,
  heading: 'Set a new password',
  open: send('Reset password', 'Password is required'),
})

/** Of an account that has just been made. */
export const NEWCOMER_SCREENS: Screen[] = [
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

/** Of an account with a plan, tokens used on thirty days, and a long name. */
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
