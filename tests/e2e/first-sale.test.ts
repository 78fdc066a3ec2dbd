import { expect, test } from 'vitest'
import { openPage } from '../harness/open-page.ts'
import { checkoutFrame, payByCard } from './support/checkout.ts'
import { expectPath, fillRegistration, newPerson, signIn } from './support/person.ts'

test('register, buy in USD, see the tokens, come back, buy a pack in INR and close the window after paying', async () => {
  const { page, complaints } = await openPage()
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
