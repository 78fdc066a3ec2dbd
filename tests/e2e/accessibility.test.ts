import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../harness/open-page.ts'
import { personWithPlan } from './support/buyer.ts'
import { registeredPerson, signInBrowser } from './support/person.ts'

interface Look {
  path: string
  /** What shows that the page is ready. */
  heading: string | RegExp
  /** Whose page it is; without it a guest's. */
  as?: 'new' | 'buyer'
  /** Opens what is to be looked at. */
  open?: (page: Page) => Promise<void>
}

const click = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).first().click()

const LOOKS: Look[] = [
  { path: '/login', heading: 'Sign in' },
  { path: '/login?ended=1', heading: 'Sign in', open: click('Sign in') },
  { path: '/login', heading: 'Sign in', open: click(/Google/) },
  { path: '/register', heading: 'Create your account', open: click('Create account') },
  { path: '/forgot-password', heading: /Forgot your password/ },
  { path: '/reset-password/x', heading: 'Set a new password', open: click('Reset password') },
  { path: '/verify-email/x', heading: 'Verification failed' },
  { path: '/dashboard', heading: /Welcome back/, as: 'new' },
  { path: '/dashboard', heading: /Welcome back/, as: 'buyer' },
  { path: '/dashboard?buy=tokens', heading: 'Purchase More Tokens', as: 'buyer' },
  { path: '/dashboard', heading: /Welcome back/, as: 'buyer', open: click(/Notifications/) },
  { path: '/dashboard', heading: /Welcome back/, as: 'buyer', open: click('Your account') },
  { path: '/profile', heading: 'Profile', as: 'new', open: click('Edit profile') },
  { path: '/profile?tab=subscription', heading: 'Plan', as: 'buyer' },
  {
    path: '/profile?tab=subscription',
    heading: 'Plan',
    as: 'buyer',
    open: click('Cancel subscription'),
  },
  { path: '/profile?tab=security', heading: 'Change password', as: 'new' },
  {
    path: '/profile?tab=security',
    heading: 'Your data',
    as: 'new',
    open: click('Delete my account'),
  },
  { path: '/settings', heading: 'Preferences', as: 'new' },
  { path: '/device', heading: 'Connect the desktop app', as: 'new', open: click('Continue') },
  { path: '/subscription', heading: 'Pro', open: click('Buy Now') },
  { path: '/subscription', heading: 'Pro', as: 'buyer' },
  { path: '/subscription/success', heading: 'Payment Verification Failed', as: 'new' },
  {
    path: '/subscription/cancel?reason=processing_error&payment_id=pay_x&error=y',
    heading: 'Processing Error',
    as: 'new',
  },
  { path: '/contact', heading: 'Contact Support', open: click('Submit ticket') },
]

const SIZES = [
  { name: 'wide, light', width: 1280, height: 900, colorScheme: 'light' },
  { name: 'narrow, dark', width: 360, height: 780, colorScheme: 'dark' },
] as const

test.each(SIZES)(
  'axe finds nothing and nothing is cut off ($name)',
  async (size) => {
    const tokens = {
      new: (await registeredPerson()).token,
      buyer: (await personWithPlan()).token,
    }
    const found: string[] = []
    for (const { path, heading, as, open } of LOOKS) {
      // Hidden on narrow screens, where the menu holds the same.
      if (size.width < 500 && open !== undefined && path === '/dashboard') continue
      const { page, context } = await openPage({ ...size, reducedMotion: 'reduce' })
      if (as !== undefined) await signInBrowser(page, tokens[as])
      await page.goto(path)
      await page.getByRole('heading', { name: heading }).first().waitFor()
      if (open !== undefined) await open(page)
      await page.waitForLoadState('networkidle')
      const { violations } = await new AxeBuilder({ page }).analyze()
      found.push(
        ...violations.map(
          ({ id, nodes }) => `${path} (${as ?? 'guest'}) ${id}: ${nodes[0]?.html ?? ''}`,
        ),
      )
      const isCut = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
      if (isCut) found.push(`${path}: scrolls sideways`)
      await context.close()
    }
    expect(found).toEqual([])
  },
  180_000,
)
