import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { PURCHASE } from '../../src/contract/messages.ts'
import { openPage } from '../harness/open-page.ts'
import { FAILED } from './support/complaints.ts'
import {
  expectPath,
  mailedPath,
  payForPlan,
  personWithMail,
  registeredPerson,
  signInBrowser,
} from './support/person.ts'

/**
 * Stops the clock of a page before it is opened. Timers run only by `page.clock.runFor`, so a busy machine cannot delay
 * them. Answers of the server still arrive.
 */
async function stopClock(page: Page): Promise<void> {
  const now = Date.now()
  await page.clock.install({ time: now })
  await page.clock.pauseAt(now + 1_000)
}

/** Expects an element to be there just before this time has passed, and gone just after. */
async function expectGoneAfter(page: Page, selector: string, ms: number): Promise<void> {
  await page.locator(selector).first().waitFor()
  await page.clock.runFor(ms - 100)
  expect(await page.locator(selector).count()).toBeGreaterThan(0)
  await page.clock.runFor(200)
  await page.locator(selector).first().waitFor({ state: 'detached' })
}

/** Expects the page to stay until just before this time has passed, and to lead to `path` just after. */
async function expectLedTo(page: Page, path: string, ms: number): Promise<void> {
  await page.evaluate(() => {
    Object.assign(window, { hasLeft: false })
    navigation.addEventListener('navigate', () => Object.assign(window, { hasLeft: true }))
  })
  await page.clock.runFor(ms - 100)
  expect(await page.evaluate(() => Reflect.get(window, 'hasLeft'))).toBe(false)
  await page.clock.runFor(200)
  await expectPath(page, path)
}

test('error toasts stay 5 s, success toasts 3 s, and at most 20 are kept', async () => {
  const { page } = await openPage({ reducedMotion: 'no-preference' })
  await stopClock(page)
  await page.goto('/contact')
  await page.getByLabel('Email').focus()
  // The form waits for the first paint by the stopped clock.
  await expect
    .poll(async () => {
      await page.clock.runFor(500)
      return page.locator('astro-island:not([ssr]) form').count()
    })
    .toBe(1)
  await page.getByRole('button', { name: 'Submit ticket' }).click()
  await expectGoneAfter(page, '.toast[data-kind=error]', 5_000)

  await page.goto('/forgot-password')
  await page.route('**/api/auth/forgot-password', (route) =>
    route.fulfill({ json: { success: true, message: '' } }),
  )
  const send = async () => {
    await page.getByLabel('Email').fill('nobody@example.test')
    await page.getByRole('button', { name: 'Send reset link' }).click()
    await page.getByRole('heading', { name: 'Check Your Email' }).waitFor()
  }
  await send()
  await expectGoneAfter(page, '.toast[data-kind=success]', 3_000)
  for (let sent = 0; sent < 22; sent += 1) {
    await page.getByRole('button', { name: 'Send Another Email' }).click()
    await send()
  }
  expect(await page.locator('.toast').count()).toBe(20)
})

test('a verified address leads to /dashboard after 3 s', async () => {
  const { page } = await openPage({ reducedMotion: 'no-preference' })
  const person = await personWithMail()
  await signInBrowser(page, person.token)
  await stopClock(page)
  await page.goto(await mailedPath(person.email, '/verify-email'))
  await page.getByText('Taking you to your dashboard in 3 seconds.').waitFor()
  await expectLedTo(page, '/dashboard', 3_000)
})

test('a new password leads to /login after 3 s', async () => {
  const { page } = await openPage({ reducedMotion: 'no-preference' })
  await stopClock(page)
  await page.route('**/api/auth/reset-password/*', (route) =>
    route.fulfill({ json: { success: true } }),
  )
  await page.goto('/reset-password/x')
  await page.getByLabel('New password', { exact: true }).fill('Other-line-2')
  await page.getByLabel('Confirm password', { exact: true }).fill('Other-line-2')
  await page.getByRole('button', { name: 'Reset password' }).click()
  await page.getByRole('heading', { name: 'Your new password is set' }).waitFor()
  await expectLedTo(page, '/login', 3_000)
})

/** The address that Razorpay's window returns to after a purchase that was paid just now. */
async function paidReturnPath(token: string): Promise<string> {
  const { paymentId, orderId, signature } = await payForPlan(token)
  const query = new URLSearchParams({ payment_id: paymentId, order_id: orderId, signature })
  return `/subscription/success?${query}`
}

test('the success page counts down from 5 s and leads to /dashboard', async () => {
  const { page } = await openPage({ reducedMotion: 'no-preference' })
  const { token } = await registeredPerson()
  await signInBrowser(page, token)
  await stopClock(page)
  await page.goto(await paidReturnPath(token))
  await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
  await page.getByText('Taking you to your dashboard in 5 seconds.').waitFor()
  await page.clock.runFor(1_050)
  await page.getByText('Taking you to your dashboard in 4 seconds.').waitFor()
  await expectLedTo(page, '/dashboard', 3_950)
})

test('a failed activation still says that the payment is completed, and the page checks again after 3 s', async () => {
  const { page } = await openPage({ reducedMotion: 'no-preference', mayComplain: FAILED })
  const { token } = await registeredPerson()
  await signInBrowser(page, token)
  await stopClock(page)
  await page.route('**/api/payment/activate-order-public', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.goto(await paidReturnPath(token))
  await page.getByRole('heading', { name: 'Payment Received' }).waitFor()
  const asked = page.waitForRequest('**/api/subscription/current')
  await page.getByText(PURCHASE.processing).waitFor()
  await page.clock.runFor(3_050)
  await asked
  await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
})

test('the overlay before the application form stays 800 ms', async () => {
  const { page } = await openPage({ reducedMotion: 'no-preference' })
  await page.goto('/careers')
  await page.getByRole('button', { name: 'Software Engineer', exact: true }).click()
  const apply = page.getByRole('dialog').getByRole('button', { name: 'Apply Now' })
  await apply.waitFor()
  await apply.hover()
  await page.getByRole('dialog').locator('astro-island:not([ssr])').waitFor({ state: 'attached' })
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await apply.click()
  await page.getByText('Preparing application form...').waitFor()
  await page.clock.runFor(700)
  expect(await page.getByRole('dialog', { name: /^Apply for / }).isVisible()).toBe(false)
  await page.clock.runFor(200)
  await page.getByRole('dialog', { name: 'Apply for Software Engineer' }).waitFor()
})
