import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { createOrderEndpoint } from '../../src/contract/purchase.ts'
import { openPage } from '../harness/open-page.ts'
import { newVisitor } from '../harness/visitor.ts'
import { payAtEmulator } from './support/buyer.ts'
import { stopClock } from './support/clock.ts'
import { FAILED } from './support/complaints.ts'
import { mailedPath } from './support/mail.ts'
import { expectPath, personWithMail, registeredPerson, signInBrowser } from './support/person.ts'

/** Whether an element is there just before a time has passed, and no more just after. */
async function expectGoneAfter(page: Page, selector: string, ms: number): Promise<void> {
  await page.locator(selector).first().waitFor()
  await page.clock.runFor(ms - 100)
  expect(await page.locator(selector).count()).toBeGreaterThan(0)
  await page.clock.runFor(200)
  await page.locator(selector).first().waitFor({ state: 'detached' })
}

/** Whether the page stays just before a time has passed, and leads there just after. */
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

test('spec 9: toasts: errors stay 5 s, successes 3 s, and at most 20 are kept', async () => {
  const { page } = await openPage()
  await stopClock(page)
  await page.goto('/contact')
  // The form waits for the first paint by the clock that stands still here.
  await expect
    .poll(async () => {
      await page.clock.runFor(500)
      return page.locator('form[data-live]').count()
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

test('spec 9: a verified address leads to /dashboard after 3 s', async () => {
  const { page } = await openPage()
  const person = await personWithMail()
  await signInBrowser(page, person.token)
  await stopClock(page)
  await page.goto(await mailedPath(person.email, '/verify-email'))
  await page.getByText('Taking you to your dashboard in 3 seconds.').waitFor()
  await expectLedTo(page, '/dashboard', 3_000)
})

test('spec 9: a new password leads to /login after 3 s', async () => {
  const { page } = await openPage()
  await stopClock(page)
  await page.route('**/api/auth/reset-password/*', (route) =>
    route.fulfill({ json: { success: true } }),
  )
  await page.goto('/reset-password/x')
  await page.getByLabel('New password', { exact: true }).fill('Other-line-2')
  await page.getByLabel('Confirm password', { exact: true }).fill('Other-line-2')
  await page.getByRole('button', { name: 'Reset password' }).click()
  await page.getByRole('heading', { name: 'Password reset successful!' }).waitFor()
  await expectLedTo(page, '/login', 3_000)
})

/** The address that Razorpay's window comes back to, for a purchase paid just now. */
async function paidReturnPath(token: string): Promise<string> {
  const order = await newVisitor(inject('siteUrl')).call(createOrderEndpoint.path, {
    json: { planType: 'pro', preferredCurrency: 'USD' },
    bearer: token,
  })
  const { order: made } = createOrderEndpoint.success.parse(order.body)
  const paid = await payAtEmulator(made.id)
  const query = new URLSearchParams({
    payment_id: paid.razorpay_payment_id,
    order_id: paid.razorpay_order_id,
    signature: paid.razorpay_signature,
  })
  return `/subscription/success?${query}`
}

test('spec 9: the success page counts down from 5 s and leads to /dashboard', async () => {
  const { page } = await openPage()
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

test('spec 9: an activation that fails is still told as the specification says, and looked at again after 3 s', async () => {
  const { page } = await openPage({ mayComplain: FAILED })
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
  await page
    .getByText(
      'Payment completed! Your purchase is being processed and tokens will be added shortly.',
    )
    .waitFor()
  await page.clock.runFor(3_050)
  await asked
  await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
})

test('spec 9: the overlay before the application form stays 800 ms', async () => {
  const { page } = await openPage()
  await page.goto('/careers')
  await page.getByRole('button', { name: 'Software Engineer', exact: true }).click()
  const apply = page.getByRole('dialog').getByRole('button', { name: 'Apply Now' })
  await apply.waitFor()
  await page.locator('astro-island[ssr]').first().waitFor({ state: 'detached' })
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await apply.click()
  await page.getByText('Preparing application form...').waitFor()
  await page.clock.runFor(700)
  expect(await page.getByRole('dialog', { name: /^Apply for / }).isVisible()).toBe(false)
  await page.clock.runFor(200)
  await page.getByRole('dialog', { name: 'Apply for Software Engineer' }).waitFor()
})
