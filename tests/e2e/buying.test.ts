import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { updatePreferencesEndpoint } from '../../src/contract/account.ts'
import { verifyPaymentEndpoint } from '../../src/contract/purchase.ts'
import { FIELD } from '../../src/contract/field-messages.ts'
import { PURCHASE, TOAST } from '../../src/contract/messages.ts'
import { packPrice } from '../../src/lib/pack-price.ts'
import { askGood } from '../harness/ask.ts'
import { openPage } from '../harness/open-page.ts'
import {
  BUY,
  checkoutFrame,
  DECLINED_CARD,
  PAID,
  payByCard,
  PRICE,
  tryCard,
} from './support/checkout.ts'
import { FAILED } from './support/console-errors.ts'
import { UNUSUAL, viewing } from './support/unusual-viewers.ts'
import { expectFocus } from './support/focus.ts'
import { hold } from './support/hold.ts'
import {
  expectPath,
  fillRegistration,
  newUser,
  registeredUser,
  signIn,
  signInBrowser,
  openAs,
  payForPlan,
} from './support/user.ts'

const buyNow = (page: Page) => page.getByRole('button', { name: BUY })

const bottomOf = (part: Locator) => part.evaluate((one) => one.getBoundingClientRect().bottom)
const topOf = (part: Locator) => part.evaluate((one) => one.getBoundingClientRect().top)

test('a guest presses Buy Now, signs in, is declined, pays in the same window, and has a receipt and tokens', async () => {
  const { page } = await openPage({ reducedMotion: 'no-preference' })
  const user = await registeredUser()
  await askGood(user, updatePreferencesEndpoint, { body: { currency: 'INR' } })
  await page.goto('/contact')
  await page.goto('/subscription')
  await page.locator('.plan-price', { hasText: PRICE.USD }).waitFor()
  expect(await page.locator('.account-bar').isVisible()).toBe(false)
  await page.getByText(PURCHASE.oneTime).first().waitFor()
  await buyNow(page).click()
  const dialog = page.getByRole('dialog', { name: 'Sign in to continue' })
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await dialog.getByText(FIELD.emailRequired).waitFor()
  await dialog.getByText(FIELD.passwordRequired).waitFor()
  await signIn(page, user)
  await tryCard(page, DECLINED_CARD)
  await page.getByText(/The payment was declined/).waitFor()
  // Behind the window is the price that they chose, whatever the account prefers.
  expect(await page.locator('.plan-price').first().innerText()).toContain(PRICE.USD)
  await expect.poll(() => checkoutFrame(page).getByRole('button', { name: /UPI/ }).count()).toBe(0)
  await expect
    .poll(() => checkoutFrame(page).getByLabel('Card number').inputValue())
    .toBe(DECLINED_CARD)
  await payByCard(page)
  await expectPath(page, '/subscription/success')
  // All of it before the page goes on by itself.
  await Promise.all([
    page.getByRole('heading', { name: 'Payment Successful' }).waitFor(),
    page.getByRole('link', { name: /^R-/ }).waitFor(),
    page.locator('.bought', { hasText: PAID.USD }).getByText(/Pro, /).first().waitFor(),
  ])
  await expectPath(page, '/dashboard')
  await page.getByText('/ 1,000,000').waitFor()
  await page.goBack()
  await expectPath(page, '/contact')
})

test.each(UNUSUAL)(
  '%s, a guest who registers to buy in rupees gets the payment window at once, pays by UPI, and buys a token pack',
  async (_who, options) => {
    const { page } = await openPage(viewing(options, FAILED))
    await page.goto('/subscription')
    const release = await hold(page, '**/plans-with-pricing*INR')
    await page.getByLabel('INR (₹)').check()
    // Until the new price is there, the card sells nothing at the old one.
    await expect.poll(() => buyNow(page).getAttribute('aria-disabled')).toBe('true')
    release()
    await page.locator('.plan-price', { hasText: PRICE.INR }).waitFor()
    await buyNow(page).click()
    await page.getByRole('link', { name: 'Create an account' }).click()
    await expectPath(page, '/register')
    const toSignIn = page.getByRole('main').getByRole('link', { name: 'Sign in', exact: true })
    await expect.poll(() => toSignIn.getAttribute('href')).toContain('next=%2Fsubscription')
    const ticked = () => page.locator('.checklist [data-holds=true]').allInnerTexts()
    await page.getByLabel('Password', { exact: true }).fill('abcD5')
    await expect.poll(ticked).toHaveLength(3)
    await fillRegistration(page, newUser())
    // The plan outlasts a moment without a network.
    // The route stays: one that goes while a page loads can leave its other requests without an answer.
    let isLost = true
    await page.route('**/api/auth/me', async (route) => {
      await (isLost ? route.abort() : route.continue())
      isLost = false
    })
    await page.getByRole('button', { name: 'Create account' }).click()
    await expectPath(page, '/subscription')
    const frame = checkoutFrame(page)
    await frame.getByText(/^₹[\d,]+\.\d\d$/).waitFor()
    await frame.getByRole('tab', { name: 'UPI' }).click()
    await frame.getByRole('button', { name: 'Show QR code' }).click()
    await frame.getByRole('button', { name: 'Pay as if scanned' }).click()
    await expectPath(page, '/subscription/success')

    await page.goto('/subscription')
    await page.getByText('You already have an active plan.').first().waitFor()
    await page.getByRole('link', { name: 'Buy a token pack' }).first().click()
    await page.getByRole('dialog', { name: 'Purchase More Tokens' }).waitFor()
    // A reload does not open the dialog again.
    expect(new URL(page.url()).search).toBe('')
    // In the currency of the plan.
    const pack = packPrice('INR')
    await page.getByRole('button', { name: `Pay ${pack}` }).click()
    await payByCard(page)
    await page.getByText(PURCHASE.tokensPurchased).first().waitFor()
    await page.getByText('/ 2,000,000').waitFor()
    await expectFocus(page.locator('.notice', { hasText: PURCHASE.tokensPurchased }))
  },
)

test('while a payment is being confirmed, plans and dashboard say so, and a second one is sold only after a question', async () => {
  const user = await registeredUser()
  const body = await payForPlan(user, 'USD', { outcome: 'authorize_only' })
  await askGood(user, verifyPaymentEndpoint, { body })
  const { page } = await openAs(user.bearer, '/dashboard')
  const said = `A payment of ${PAID.USD} is being confirmed.`
  await page.locator('.notice', { hasText: said }).waitFor()
  await page.goto('/subscription')
  await page.locator('.notice', { hasText: said }).waitFor()
  await buyNow(page).click()
  const dialog = page.getByRole('dialog', { name: 'Pay a second time?' })
  await dialog.getByText(said).waitFor()
  await dialog.getByRole('button', { name: 'Wait' }).click()
  await expectFocus(buyNow(page))
  await buyNow(page).click()
  await dialog.getByRole('button', { name: 'Pay again' }).click()
  await checkoutFrame(page).getByLabel('Card number').waitFor()
})

test('a failure before the payment is shown, and Buy Now works again', async () => {
  const { page } = await openPage({ mayLog: FAILED })
  await signInBrowser(page, (await registeredUser()).bearer)
  const plans = '**/api/subscription/plans-with-pricing*'
  await page.route(plans, (route) => route.abort())
  await page.goto('/subscription')
  // Screen readers announce an error at once.
  await page.locator('.toasts [role=alert]', { hasText: TOAST.plansFailed }).waitFor()
  await page.unroute(plans)
  await page.getByRole('button', { name: 'Try Again' }).click()

  const script = '**/checkout/v1/checkout.js'
  await page.route(script, (route) => route.abort())
  await buyNow(page).click()
  await page.getByText(PURCHASE.sdkMissing).waitFor()
  await expect.poll(() => page.getByText('Part of this page did not load.').count()).toBe(0)
  await page.unroute(script)

  await page.setViewportSize({ width: 360, height: 780 })
  await buyNow(page).click()
  await checkoutFrame(page).getByRole('button', { name: 'Close checkout' }).click()
  const closed = page.getByText(PURCHASE.windowClosed)
  await closed.waitFor()
  await expectFocus(page.locator('.notice', { has: closed }))
  expect(await bottomOf(closed)).toBeLessThanOrEqual(await topOf(buyNow(page)))
  await buyNow(page).click()
  await checkoutFrame(page).getByLabel('Card number').waitFor()
  await page.reload()
  await page.getByText('No payment has arrived for this order.').waitFor()
  // Nothing was pressed, so the focus stays at the top.
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
})

const INSTAGRAM =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 401.0.0.21'

test('in an in-app browser the payment window posts its result, declined or paid', async () => {
  const { page } = await openAs((await registeredUser()).bearer, '/subscription', {
    userAgent: INSTAGRAM,
    width: 390,
    height: 844,
  })
  await buyNow(page).click()
  await checkoutFrame(page).getByLabel('Card number').waitFor()
  // As after a step back from a page of the bank.
  await page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  })
  await page.getByText(PURCHASE.windowClosed).waitFor()
  await buyNow(page).click()
  await tryCard(page, DECLINED_CARD)
  await expectPath(page, '/subscription/cancel')
  await page.getByRole('heading', { name: 'Payment Not Completed' }).waitFor()
  await page.getByText(/^pay_EMU\w{11}$/).waitFor()
  await page.getByText('Your card was declined by its bank').waitFor()
  await page.getByRole('link', { name: 'Back to Plans' }).click()
  await buyNow(page).click()
  const posted = page.waitForRequest('**/api/payment/checkout-callback')
  await payByCard(page)
  expect((await posted).method()).toBe('POST')
  await expectPath(page, '/subscription/success')
  await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
})
