import { expect, test } from 'vitest'
import { PURCHASE } from '../../src/contract/messages.ts'
import { openPage } from '../harness/open-page.ts'
import { checkoutFrame, DECLINED_CARD, payByCard, runPreset, tryCard } from './support/checkout.ts'
import { SIGNED_OUT } from './support/complaints.ts'
import {
  expectPath,
  fillRegistration,
  newPerson,
  registeredPerson,
  signIn,
  signInBrowser,
} from './support/person.ts'

test('a person registers, buys Pro in USD, signs in again and buys a token pack in INR', async () => {
  const { page, complaints } = await openPage({ reducedMotion: 'no-preference' })
  const person = newPerson()

  await page.goto('/register')
  await fillRegistration(page, person)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expectPath(page, '/dashboard')

  await page.getByRole('link', { name: 'See plans' }).click()
  await page.locator('.plan-price', { hasText: '$35' }).waitFor()
  await page.getByRole('button', { name: 'Buy Now' }).click()
  expect(await checkoutFrame(page).getByRole('button', { name: /UPI/ }).count()).toBe(0)
  await payByCard(page)
  await expectPath(page, '/subscription/success')
  await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
  await expectPath(page, '/dashboard')
  await page.getByText('/ 1,000,000').waitFor()

  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expectPath(page, '/')
  await page.goto('/login')
  await signIn(page, person)
  await expectPath(page, '/dashboard')

  await page.getByRole('button', { name: 'Purchase More Tokens' }).click()
  await page.getByLabel('INR ₹2199.00').check()
  await page.getByRole('button', { name: 'Pay ₹2199.00' }).click()
  const frame = checkoutFrame(page)
  await frame.getByRole('tab', { name: 'UPI' }).waitFor()
  await frame.getByText('One-click outcomes').click()
  await frame.getByRole('button', { name: 'closed-after-pay' }).click()
  await page.getByText('/ 2,000,000').waitFor()
  expect(complaints).toEqual([])
})

test('Back from the dashboard skips a finished purchase', async () => {
  const { page } = await openPage({ reducedMotion: 'no-preference' })
  await signInBrowser(page, (await registeredPerson()).token)
  await page.goto('/contact')
  await page.goto('/subscription')
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await runPreset(page, 'handler-only')
  await expectPath(page, '/dashboard')
  await page.getByText('/ 1,000,000').waitFor()
  await page.goBack()
  await expectPath(page, '/contact')
})

test('a payment made after signing out in another tab is confirmed, and shown after signing in', async () => {
  const { page, context } = await openPage({
    reducedMotion: 'no-preference',
    mayComplain: SIGNED_OUT,
  })
  const person = await registeredPerson()
  await signInBrowser(page, person.token)
  await page.goto('/subscription')
  await page.getByRole('button', { name: 'Buy Now' }).click()
  const card = checkoutFrame(page).getByLabel('Card number')
  await card.waitFor()
  const other = await context.newPage()
  await other.goto('/contact')
  await other.getByRole('button', { name: /Your account$/ }).click()
  await other.getByRole('button', { name: 'Sign out' }).click()
  await expectPath(other, '/')
  await payByCard(page)
  await expectPath(page, '/login')
  await page.getByText(PURCHASE.receivedSignedOut).waitFor()
  await page.getByText('A payment you made is kept with your account.').waitFor()
  await signIn(page, person)
  await expectPath(page, '/subscription/success')
  await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
})

const INSTAGRAM =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 401.0.0.21'

test('in an in-app browser the payment window posts its result, declined or paid', async () => {
  const { page } = await openPage({
    reducedMotion: 'no-preference',
    userAgent: INSTAGRAM,
    width: 390,
    height: 844,
  })
  await signInBrowser(page, (await registeredPerson()).token)
  await page.goto('/subscription')
  const buyNow = page.getByRole('button', { name: 'Buy Now' })
  await buyNow.click()
  await tryCard(page, DECLINED_CARD)
  await expectPath(page, '/subscription/cancel')
  await page.getByRole('heading', { name: 'Payment Not Completed' }).waitFor()
  await page.getByText(/^pay_EMU\w{11}$/).waitFor()
  await page.getByText('Your card was declined by its bank').waitFor()
  await page.getByRole('link', { name: 'Back to Plans' }).click()
  await buyNow.click()
  const posted = page.waitForRequest('**/api/payment/checkout-callback')
  await payByCard(page)
  expect((await posted).method()).toBe('POST')
  await expectPath(page, '/subscription/success')
  await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
  await expectPath(page, '/dashboard')
  await page.getByText('/ 1,000,000').waitFor()
})
