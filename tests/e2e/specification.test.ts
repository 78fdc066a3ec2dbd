import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../harness/open-page.ts'
import { personWithPlan } from './support/buyer.ts'
import { checkoutFrame } from './support/checkout.ts'
import { expectPath, registeredPerson, signInBrowser } from './support/person.ts'
import { ALL_PATHS } from './site/pages.ts'

// Sections 2, 3, 4, 5 and 9 of the specification where no other test quotes them.

/** The links of a place as [text, path or address]. */
const linksOf = (page: Page, place: string) =>
  page
    .locator(`${place} a`)
    .evaluateAll((links) =>
      links.map((link) => [link.textContent.trim(), link.getAttribute('href')] as const),
    )

test('routes: who is not signed in is sent to /login, who is signed in from the guests’ pages to /dashboard', async () => {
  const { page } = await openPage()
  for (const path of ['/dashboard', '/profile', '/subscription/success', '/subscription/cancel']) {
    await page.goto(path)
    await expectPath(page, '/login')
  }
  const signedIn = await openPage()
  await signInBrowser(signedIn.page, (await registeredPerson()).token)
  for (const path of ['/login', '/register', '/forgot-password', '/reset-password/x']) {
    await signedIn.page.goto(path)
    await expectPath(signedIn.page, '/dashboard')
  }
})

test('the footer of every page: brand credit, videos, pricing, careers that hire, support, this year', async () => {
  const { page } = await openPage({ javaScriptEnabled: false })
  const year = String(new Date().getFullYear())
  for (const path of ALL_PATHS) {
    await page.goto(path, { waitUntil: 'domcontentloaded' })
    const footer = page.locator('footer')
    const said = await footer.innerText()
    expect(said, path).toContain('Made by Sotto Labs.')
    expect(said, path).toContain(`© ${year} Sotto Labs Private Limited`)
    expect(await footer.locator('.hiring').innerText(), path).toBe('Hiring')
    expect(await linksOf(page, 'footer'), path).toEqual(
      expect.arrayContaining([
        ['Videos', 'https://www.youtube.com/@sottolabs'],
        ['Pricing', '/subscription'],
        [expect.stringContaining('Careers'), '/careers'],
        ['Contact Support', '/contact'],
      ]),
    )
  }
})

test('the bar: logo, links, initial and name, full name and mail, and where its entries lead', async () => {
  const { page } = await openPage()
  const person = await registeredPerson()
  await signInBrowser(page, person.token)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Edit profile' }).click()
  await page.getByLabel('First name').fill('')
  await page.getByLabel('Last name').fill('x'.repeat(51))
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('First name is required', { exact: true }).waitFor()
  await page.getByText('Last name cannot exceed 50 characters', { exact: true }).waitFor()
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Lovelace')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Profile saved').waitFor()

  expect(await page.locator('[data-account-nav] .home').getAttribute('href')).toBe('/dashboard')
  expect(await linksOf(page, '.bar-links')).toEqual([
    ['Dashboard', '/dashboard'],
    ['Plans', '/subscription'],
    ['Profile', '/profile'],
  ])
  const button = page.getByRole('button', { name: 'Your account' })
  await expect.poll(() => button.innerText()).toMatch(/^A\s+Ada/)
  await button.click()
  const menu = page.locator('#user-menu')
  await menu.getByText('Ada Lovelace', { exact: true }).waitFor()
  await menu.getByText(person.email, { exact: true }).waitFor()
  expect(await linksOf(page, '#user-menu')).toEqual([
    ['Dashboard', '/dashboard'],
    ['Profile', '/profile'],
    ['Subscription', '/profile?tab=subscription'],
    ['Settings', '/settings'],
  ])
  await page.goto('/dashboard')
  await page.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
})

test('/login and /register: their fields, rules and ways on', async () => {
  const { page } = await openPage()
  await page.goto('/login')
  expect(await page.getByLabel('Remember me').isChecked()).toBe(false)
  expect(await linksOf(page, 'main')).toEqual([
    ['Create an account', '/register'],
    ['Forgot your password?', '/forgot-password'],
  ])
  await page.getByRole('button', { name: 'Sign in with Google' }).click()
  await page.getByRole('dialog', { name: 'Coming Soon' }).waitFor()
  await expectPath(page, '/login')

  await page.goto('/register')
  expect(await page.locator('main .field-label').allInnerTexts()).toEqual([
    'Username',
    'Email',
    'Password',
    'Confirm password',
  ])
  const rules = await page.locator('.checklist li').allInnerTexts()
  expect(rules.map((rule) => rule.split(/\n|:/)[0]?.trim())).toEqual([
    'At least 6 characters',
    'One uppercase letter',
    'One lowercase letter',
    'One number',
  ])
})

test('the dashboard shows at most 100 %, and the badge only for an active plan', async () => {
  const { page } = await openPage()
  await signInBrowser(page, (await personWithPlan()).token)
  let user = { tokens: { used: 1_000_000, total: 1_000_000 }, status: 'active' }
  await page.route('**/api/auth/me', async (route) => {
    const answer = await route.fetch()
    const text = (await answer.text())
      .replace(/"tokens":\{[^}]*\}/, `"tokens":${JSON.stringify(user.tokens)}`)
      .replace(/"status":"\w+"/, `"status":"${user.status}"`)
    await route.fulfill({ response: answer, body: text })
  })
  await page.goto('/dashboard')
  await page.getByText('100% used').waitFor()
  expect(await page.getByRole('meter').getAttribute('aria-valuenow')).toBe('100')
  for (const status of ['inactive', 'past_due', 'cancelled']) {
    // Taken back in part, more may have been used than is left in all.
    user = { tokens: { used: 1_200_000, total: 1_000_000 }, status }
    await page.goto('/dashboard')
    await page.getByText('100% used').waitFor()
    expect(await page.getByText('Active', { exact: true }).isVisible(), status).toBe(false)
    expect(await page.getByText('Purchase More Tokens').count(), status).toBe(0)
  }
  user = { tokens: { used: 0, total: 0 }, status: 'past_due' }
  await page.goto('/dashboard')
  await page.getByText('No tokens left: they went back with the payment.').waitFor()
  expect(await page.getByText('They come with a plan').isVisible()).toBe(false)
})

test('each status has its badge and colour', async () => {
  const { page } = await openPage()
  await signInBrowser(page, (await registeredPerson()).token)
  let status = ''
  await page.route('**/api/subscription/current', async (route) => {
    const answer = await route.fetch()
    const text = (await answer.text()).replace(/"status":"\w+"/, `"status":"${status}"`)
    await route.fulfill({ response: answer, body: text })
  })
  const isRead = () =>
    page.waitForResponse((answer) => answer.url().endsWith('/api/subscription/current'))
  const badges = { active: 'green', inactive: 'gray', past_due: 'red', cancelled: 'orange' }
  const texts = ['Active', 'Inactive', 'Past due', 'Cancelled']
  for (const [index, [name, colour]] of Object.entries(badges).entries()) {
    status = name
    const read = isRead()
    await page.goto('/profile?tab=subscription')
    await read
    // Until the answer is there, what the session knows: no plan.
    const badge = page.locator('main .badge').filter({ hasText: new RegExp(`^${texts[index]}$`) })
    await badge.waitFor()
    expect(await badge.getAttribute('class')).toContain(`badge-${colour}`)
  }
})

test('the token pack closes when the payment window is dismissed, and says how things stand', async () => {
  const { page } = await openPage()
  await signInBrowser(page, (await personWithPlan()).token)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Purchase More Tokens' }).click()
  const dialog = page.getByRole('dialog', { name: 'Purchase More Tokens' })
  await dialog.getByText('1,000,000 tokens').waitFor()
  await dialog.getByLabel('USD $25.00').check()
  await dialog.getByLabel('INR ₹2199.00').check()
  await dialog.getByRole('button', { name: 'Pay ₹2199.00' }).click()
  await checkoutFrame(page).getByRole('button', { name: 'Close checkout' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page
    .getByText(
      'The payment window was closed. If you paid all the same, it will show up by itself.',
    )
    .waitFor()
})

test.each([
  {
    reason: 'payment_not_captured',
    message: 'Your bank did not complete the payment, so no plan was activated.',
    suggestion: 'Try again, or use another card.',
  },
  {
    reason: 'verification_failed',
    message: 'We could not confirm that this payment belongs to your order.',
    suggestion: 'write to support with the day and the amount',
  },
  {
    reason: 'processing_error',
    message: 'Something went wrong while we were processing your payment.',
    suggestion: 'Look there before you try again.',
  },
  {
    reason: '',
    message: 'You left before the payment was finished, and nothing was charged.',
    suggestion: 'You can choose a plan again whenever you like.',
  },
])('/subscription/cancel, "$reason": what happened and what to do', async (row) => {
  const { page } = await openPage()
  await signInBrowser(page, (await registeredPerson()).token)
  await page.goto(`/subscription/cancel?reason=${row.reason}`)
  await page.getByText(row.message).waitFor()
  await page.getByText(row.suggestion).waitFor()
  expect(await linksOf(page, 'main .calm')).toEqual(
    expect.arrayContaining([
      ['Back to Plans', '/subscription'],
      ['Go to Dashboard', '/dashboard'],
    ]),
  )
})

test('while a payment or an address is verified, the page says so', async () => {
  const { page } = await openPage({ mayComplain: /status of 4\d\d|ERR_FAILED/ })
  await signInBrowser(page, (await registeredPerson()).token)
  await page.route('**/api/payment/**', () => undefined)
  await page.goto('/subscription/success?order_id=order_EMUa1B2c3D4e5F')
  await page.getByRole('heading', { name: 'Verifying your payment' }).waitFor()
  await page.route('**/api/auth/verify-email/*', () => undefined)
  await page.goto('/verify-email/x')
  await page.getByRole('heading', { name: 'Verifying your email' }).waitFor()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('a ticket may be longer than its counter, and starts at medium', async () => {
  const { page } = await openPage()
  await page.goto('/contact')
  await page.getByLabel('Email').fill('ada@example.test')
  expect(await page.getByLabel('Severity').inputValue()).toBe('medium')
  expect(await page.getByLabel('Severity').locator('option').count()).toBe(3)
  await page.getByText('0/1000 characters').waitFor()
  await page.getByLabel('How can we help?').fill('q'.repeat(1_001))
  await page.getByText('1001/1000 characters').waitFor()
  await page.getByRole('button', { name: 'Submit ticket' }).click()
  await page.getByRole('heading', { name: 'Thank You' }).waitFor()
})
