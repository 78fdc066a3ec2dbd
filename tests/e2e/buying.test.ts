import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { FIELD, PURCHASE, TOAST } from '../../src/contract/messages.ts'
import { openPage, type PageOptions } from '../harness/open-page.ts'
import { newVisitor } from '../harness/visitor.ts'
import {
  checkoutFrame,
  DECLINED_CARD,
  payByCard,
  refuseUntilPlace,
  runPreset,
  tryCard,
} from './support/checkout.ts'
import { FAILED, REFUSED } from './support/complaints.ts'
import { expectFocus } from './support/focus.ts'
import {
  expectPath,
  fillRegistration,
  newPerson,
  personWithPlan,
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
  await page.getByText(PURCHASE.oneTime).first().waitFor()
  await page.getByLabel('INR (₹)').check()
  await price.filter({ hasText: '₹2999' }).waitFor()
  await page.reload()
  await price.filter({ hasText: '$35' }).waitFor()
})

test('Buy Now asks a guest to sign in, then continues by itself', async () => {
  const { page, complaints } = await openPage()
  const person = await registeredPerson()
  await page.goto('/subscription')
  await buyNow(page).click()
  const dialog = page.getByRole('dialog', { name: 'Sign in to continue' })
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await dialog.getByText(FIELD.emailRequired).waitFor()
  await dialog.getByText(FIELD.passwordRequired).waitFor()
  await signIn(page, person)
  await payByCard(page)
  await expectPath(page, '/subscription/success')
  await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
  await page.getByRole('link', { name: /^R-/ }).waitFor()
  expect(await page.locator('.bought').innerText()).toMatch(/Pro, 1,000,000 tokens[^]*\$35\.00/)
  await page.getByText('in 5 seconds').first().waitFor()
  await expectPath(page, '/dashboard')
  await page.getByText('/ 1,000,000').waitFor()
  expect(complaints).toEqual([])
})

async function sayPlace(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Which state are you in?' })
  await dialog.getByRole('button', { name: 'Continue to payment' }).click()
  await dialog.getByText('Choose your state', { exact: true }).last().waitFor()
  await dialog.getByLabel('State').selectOption('Karnataka')
  await dialog.getByRole('button', { name: 'Continue to payment' }).click()
}

test('a buyer in rupees whose state must be known is asked for it, and then pays', async () => {
  const { token } = await registeredPerson()
  const { page } = await openPlans(token, { mayComplain: REFUSED })
  await refuseUntilPlace(page, '**/api/payment/create-order')
  await page.getByLabel('INR (₹)').check()
  await page.locator('.plan-price', { hasText: '₹2999' }).waitFor()
  await buyNow(page).click()
  const dialog = page.getByRole('dialog', { name: 'Which state are you in?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await refuseUntilPlace(page, '**/api/payment/create-order')
  await buyNow(page).click()
  await sayPlace(page)
  await payByCard(page)
  await expectPath(page, '/subscription/success')
  const { body } = await newVisitor(inject('siteUrl')).call('/api/auth/me', { bearer: token })
  expect(body).toMatchObject({ user: { billing: { place: '29', gstin: '' } } })
})

test('the same is asked before a token pack', async () => {
  const { page } = await openPage({ mayComplain: REFUSED })
  await signInBrowser(page, (await personWithPlan()).token)
  await page.goto('/dashboard?buy=tokens')
  await refuseUntilPlace(page, '**/api/payment/create-token-order')
  await page.getByRole('dialog').getByRole('button', { name: /^Pay / }).click()
  await sayPlace(page)
  await payByCard(page)
  await page.getByText(PURCHASE.tokensPurchased).first().waitFor()
})

test('a guest who registers for a purchase gets the payment window by itself', async () => {
  const { page } = await openPage()
  await page.goto('/subscription')
  await page.getByLabel('INR (₹)').check()
  await page.locator('.plan-price', { hasText: '₹2999' }).waitFor()
  await buyNow(page).click()
  await page.getByRole('link', { name: 'Create an account' }).click()
  await expectPath(page, '/register')
  // By way of /login, which passes on where to return.
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

test('in INR the payment window offers UPI, and a purchase can be paid with it', async () => {
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

test('a declined card is reported, and the next try in the same window pays', async () => {
  const { page } = await openPlans((await registeredPerson()).token)
  await buyNow(page).click()
  await tryCard(page, DECLINED_CARD)
  await page.getByText(/The payment was declined/).waitFor()
  expect(await checkoutFrame(page).getByLabel('Card number').inputValue()).toBe(DECLINED_CARD)
  await payByCard(page)
  await expectPath(page, '/subscription/success')
  await page.locator('.toast').getByText(TOAST.paymentVerified).waitFor()
})

test('closing the payment window says how things stand, and Buy Now works again', async () => {
  const { page } = await openPlans((await registeredPerson()).token)
  await buyNow(page).click()
  await checkoutFrame(page).getByRole('button', { name: 'Close checkout' }).click()
  await page.getByText(PURCHASE.windowClosed).waitFor()
  await buyNow(page).click()
  await checkoutFrame(page).getByLabel('Card number').waitFor()
})

test('reloading during a purchase says how it stands', async () => {
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
  '%s: the payment is found and the success page says so',
  async (preset) => {
    const { page } = await openPlans((await registeredPerson()).token)
    await buyNow(page).click()
    await runPreset(page, preset)
    await page.waitForURL('**/subscription/success?*', { timeout: 15_000 })
    await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
  },
)

test('a blocked payment script is reported, and once it loads the purchase continues', async () => {
  const { page } = await openPlans((await registeredPerson()).token, { mayComplain: FAILED })
  await page.route('**/checkout/v1/checkout.js', (route) => route.abort())
  await buyNow(page).click()
  await page.getByText(PURCHASE.sdkMissing).waitFor()
  await page.unroute('**/checkout/v1/checkout.js')
  await buyNow(page).click()
  await checkoutFrame(page).getByLabel('Card number').waitFor()
})

test('an order without a network is reported, and Buy Now works again', async () => {
  const { page } = await openPlans((await registeredPerson()).token, { mayComplain: FAILED })
  await buyNow(page).waitFor()
  await page.route('**/api/payment/create-order', (route) => route.abort())
  await buyNow(page).click()
  await page.getByText(PURCHASE.paymentError(PURCHASE.paymentOrderFailed)).waitFor()
  await page.getByText(TOAST.orderFailed, { exact: true }).waitFor()
  await buyNow(page).waitFor()
})

test('a double click on Buy Now makes one order', async () => {
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

test('with an active plan the plans page offers a token pack instead', async () => {
  const { page } = await openPlans((await personWithPlan()).token)
  await page.getByText('Your plan is active already.').waitFor()
  await page.getByRole('link', { name: 'Buy a token pack' }).click()
  await page.getByRole('dialog', { name: 'Purchase More Tokens' }).waitFor()
})

test('a token pack is bought in its dialog and adds its tokens', async () => {
  const { page } = await openPage()
  await signInBrowser(page, (await personWithPlan()).token)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Purchase More Tokens' }).click()
  await page.getByRole('button', { name: 'Pay $25.00' }).click()
  await payByCard(page)
  await page.getByText(PURCHASE.tokensPurchased).waitFor()
  await page.getByText('/ 2,000,000').waitFor()
  await expectFocus(page.getByRole('button', { name: 'Purchase More Tokens' }))
})

test('plans that cannot be loaded are reported, and can be tried again', async () => {
  const { page } = await openPage({ mayComplain: FAILED })
  await page.route('**/api/subscription/plans-with-pricing*', (route) => route.abort())
  await page.goto('/subscription')
  await page.getByRole('button', { name: 'Buy Now' }).hover()
  const sentence = TOAST.plansFailed
  await page.locator('.toast').getByText(sentence, { exact: true }).first().waitFor()
  await page.getByText('We could not get the plans just now.').waitFor()
  await page.unroute('**/api/subscription/plans-with-pricing*')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await buyNow(page).waitFor()
})

test('the token pack dialog closes with the payment window and says how things stand', async () => {
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
  await page.getByText(PURCHASE.windowClosed).waitFor()
})
