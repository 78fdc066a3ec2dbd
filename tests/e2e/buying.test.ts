import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, type PageOptions } from '../harness/open-page.ts'
import { personWithPlan } from './support/buyer.ts'
import { checkoutFrame, DECLINED_CARD, payByCard, runPreset, tryCard } from './support/checkout.ts'
import { FAILED, REFUSED } from './support/complaints.ts'
import {
  expectPath,
  fillRegistration,
  newPerson,
  registeredPerson,
  signIn,
  signInBrowser,
} from './support/person.ts'

async function openPlans(token: string, options: PageOptions = {}) {
  const opened = await openPage(options)
  await signInBrowser(opened.page, token)
  await opened.page.goto('/subscription')
  return opened
}

const buyNow = (page: Page) => page.getByRole('button', { name: 'Buy Now' })

test('prices follow the currency, which starts as USD', async () => {
  const { page } = await openPage()
  await page.goto('/subscription')
  const price = page.locator('.plan-price')
  await price.filter({ hasText: '$35' }).waitFor()
  await page.getByText('One-time payment, no recurring charges').first().waitFor()
  await page.getByLabel('INR (₹)').check()
  await price.filter({ hasText: '₹2999' }).waitFor()
  await page.reload()
  await price.filter({ hasText: '$35' }).waitFor()
})

test('signed out: Buy Now asks to sign in, then goes on by itself', async () => {
  const { page, complaints } = await openPage()
  const person = await registeredPerson()
  await page.goto('/subscription')
  await buyNow(page).click()
  const dialog = page.getByRole('dialog', { name: 'Sign in to continue' })
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await dialog.getByText('Email is required').waitFor()
  await dialog.getByText('Password is required').waitFor()
  await signIn(page, person)
  await payByCard(page)
  await expectPath(page, '/subscription/success')
  await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
  await page.getByText('in 5 seconds').first().waitFor()
  await expectPath(page, '/dashboard')
  await page.getByText('/ 1,000,000').waitFor()
  expect(complaints).toEqual([])
})

test('signed out: Buy Now, an account made for it, and the window opens by itself', async () => {
  const { page } = await openPage()
  await page.goto('/subscription')
  await page.getByLabel('INR (₹)').check()
  await page.locator('.plan-price', { hasText: '₹2999' }).waitFor()
  await buyNow(page).click()
  await page.getByRole('link', { name: 'Create an account' }).click()
  await expectPath(page, '/register')
  // By way of /login, which passes on where one wanted to go.
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  await expectPath(page, '/login')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await expectPath(page, '/register')
  await fillRegistration(page, newPerson())
  await page.getByRole('button', { name: 'Create account' }).click()
  await expectPath(page, '/subscription')
  await checkoutFrame(page).getByText('₹2,999.00', { exact: true }).waitFor()
  await page.reload()
  await buyNow(page).waitFor()
  expect(await page.locator('iframe.razorpay-checkout-frame').count()).toBe(0)
})

test('in INR the window offers UPI, a way back from its code, and pays with it', async () => {
  const { page } = await openPlans((await registeredPerson()).token)
  await page.getByLabel('INR (₹)').check()
  await page.locator('.plan-price', { hasText: '₹2999' }).waitFor()
  await buyNow(page).click()
  const frame = checkoutFrame(page)
  await frame.getByRole('tab', { name: 'UPI' }).click()
  await frame.getByRole('button', { name: 'Show QR code' }).click()
  await frame.getByRole('button', { name: 'Choose another method' }).click()
  await frame.getByRole('button', { name: 'Show QR code' }).click()
  await frame.getByRole('button', { name: 'Pay as if scanned' }).click()
  await expectPath(page, '/subscription/success')
  await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
})

test('a declined card is told; the next try in the same window pays', async () => {
  const { page } = await openPlans((await registeredPerson()).token)
  await buyNow(page).click()
  await tryCard(page, DECLINED_CARD)
  await page.getByText(/The payment was declined/).waitFor()
  await payByCard(page)
  await expectPath(page, '/subscription/success')
})

test('a window that is closed ends in a true sentence, and Buy Now works again', async () => {
  const { page } = await openPlans((await registeredPerson()).token)
  await buyNow(page).click()
  await checkoutFrame(page).getByRole('button', { name: 'Close checkout' }).click()
  await page
    .getByText(
      'The payment window was closed. If you paid all the same, it will show up by itself.',
    )
    .waitFor()
  await buyNow(page).click()
  await checkoutFrame(page).getByLabel('Card number').waitFor()
})

test('a reload in the middle says how the purchase stands', async () => {
  const { page } = await openPlans((await registeredPerson()).token)
  await page.getByLabel('INR (₹)').check()
  await page.locator('.plan-price', { hasText: '₹2999' }).waitFor()
  await buyNow(page).click()
  await checkoutFrame(page).getByLabel('Card number').waitFor()
  await page.reload()
  await page.getByText('No payment has arrived for this order.').waitFor()
  await page.locator('.plan-price', { hasText: '₹2999' }).waitFor()
})

test.each(['closed-after-pay', 'webhook-only', 'handler-only'])(
  '%s: the money is found and the success page says so',
  async (preset) => {
    const { page } = await openPlans((await registeredPerson()).token)
    await buyNow(page).click()
    await runPreset(page, preset)
    await page.waitForURL('**/subscription/success?*', { timeout: 15_000 })
    await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
  },
)

test('spec 8: a blocked script is named; once it loads, the purchase goes on', async () => {
  const { page } = await openPlans((await registeredPerson()).token, { mayComplain: FAILED })
  await page.route('**/checkout/v1/checkout.js', (route) => route.abort())
  await buyNow(page).click()
  await page.getByText('Razorpay SDK not loaded. Please refresh the page and try again.').waitFor()
  await page.unroute('**/checkout/v1/checkout.js')
  await buyNow(page).click()
  await checkoutFrame(page).getByLabel('Card number').waitFor()
})

test('spec 8: no network: the sentence of the spec, and nothing is left hanging', async () => {
  const { page } = await openPlans((await registeredPerson()).token, { mayComplain: FAILED })
  await buyNow(page).waitFor()
  await page.route('**/api/payment/create-order', (route) => route.abort())
  await buyNow(page).click()
  await page.getByText('Error creating payment: Failed to create payment order').waitFor()
  await page.getByText('Failed to create order', { exact: true }).waitFor()
  await buyNow(page).waitFor()
})

test('the button says what is happening and cannot start two', async () => {
  const { page } = await openPlans((await registeredPerson()).token)
  let orders = 0
  await page.route('**/api/payment/create-order', async (route) => {
    orders += 1
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  await buyNow(page).dblclick()
  await page.getByRole('button', { name: 'Preparing your order…' }).click({ force: true })
  await checkoutFrame(page).getByLabel('Card number').waitFor()
  expect(orders).toBe(1)
})

test('with an active plan the card offers a token pack instead', async () => {
  const { page } = await openPlans((await personWithPlan()).token)
  await page.getByText('Your plan is active already.').waitFor()
  await page.getByRole('link', { name: 'Buy a token pack' }).click()
  await page.getByRole('dialog', { name: 'Purchase More Tokens' }).waitFor()
})

test('spec 8: a token pack: modal, window, tokens', async () => {
  const { page } = await openPage()
  await signInBrowser(page, (await personWithPlan()).token)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Purchase More Tokens' }).click()
  await page.getByRole('button', { name: 'Pay $25.00' }).click()
  await payByCard(page)
  await page
    .getByText('Tokens purchased successfully! 1,000,000 tokens have been added to your account.')
    .waitFor()
  await page.getByText('/ 2,000,000').waitFor()
})

test('spec 8: plans that cannot be loaded are told, and can be tried again', async () => {
  const { page } = await openPage({ mayComplain: FAILED })
  await page.route('**/api/subscription/plans-with-pricing*', (route) => route.abort())
  await page.goto('/subscription')
  const sentence = 'Failed to load subscription plans'
  await page.locator('.toast').getByText(sentence, { exact: true }).first().waitFor()
  await page.locator('main').getByText(sentence, { exact: true }).waitFor()
  await page.unroute('**/api/subscription/plans-with-pricing*')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await buyNow(page).waitFor()
})

test.each([
  { search: '?reason=payment_not_captured', title: 'Payment Not Completed' },
  { search: '?reason=verification_failed', title: 'Payment Verification Failed' },
  { search: '?reason=processing_error', title: 'Processing Error' },
  { search: '?reason=constructor', title: 'Subscription Cancelled' },
  { search: '', title: 'Subscription Cancelled' },
])('spec 8: /subscription/cancel$search: $title', async ({ search, title }) => {
  const { page } = await openPage()
  await signInBrowser(page, (await registeredPerson()).token)
  const more = 'payment_id=pay_EMUp7Q8r9S0t1U&error=Card%20declined%20%3Cb%3E'
  await page.goto(`/subscription/cancel${search}${search === '' ? '?' : '&'}${more}`)
  await page.getByRole('heading', { name: title }).waitFor()
  await page.getByText('pay_EMUp7Q8r9S0t1U').waitFor()
  expect(await page.getByText('the payment id below').count()).toBe(
    search.includes('verification_failed') ? 1 : 0,
  )
  await page.getByText('Card declined <b>').waitFor()
  await page.getByRole('link', { name: 'Back to Plans' }).waitFor()
  await page.getByRole('link', { name: 'Go to Dashboard' }).waitFor()
})

test("the success page claims nothing for somebody else's order, or for none", async () => {
  const { page } = await openPage({ mayComplain: REFUSED })
  await signInBrowser(page, (await registeredPerson()).token)
  for (const search of ['', '?order_id=order_EMUa1B2c3D4e5F']) {
    await page.goto(`/subscription/success${search}`)
    await page.getByText('We could not find that purchase.').waitFor()
  }
})

test('both pages of a purchase are for signed-in people', async () => {
  const { page } = await openPage()
  for (const path of ['/subscription/success', '/subscription/cancel']) {
    await page.goto(path)
    await expectPath(page, '/login')
  }
})
