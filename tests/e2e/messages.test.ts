import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../harness/open-page.ts'
import { personWithPlan } from './support/buyer.ts'
import { payByCard } from './support/checkout.ts'
import { FAILED, REFUSED } from './support/complaints.ts'
import {
  expectPath,
  fillRegistration,
  newPerson,
  registeredPerson,
  signIn,
  signInBrowser,
} from './support/person.ts'

/** The calls to this path have no way through. */
const cutOff = (page: Page, path: string) => page.route(path, (route) => route.abort())

const toast = (page: Page, text: string) =>
  page.locator('.toast').getByText(text, { exact: true }).first().waitFor()

const alert = (page: Page, text: string) =>
  page.locator('main, dialog').getByText(text, { exact: true }).first().waitFor()

test('spec 8: without an answer the fallback of each call is the toast: signing in, registering, passwords, tickets', async () => {
  const { page } = await openPage({ mayComplain: FAILED })
  await cutOff(page, '**/api/**')
  const person = newPerson()
  await page.goto('/login')
  await signIn(page, person)
  await toast(page, 'Login failed')

  await page.goto('/register')
  await fillRegistration(page, person)
  await page.getByRole('button', { name: 'Create account' }).click()
  await toast(page, 'Registration failed')

  await page.goto('/forgot-password')
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await toast(page, 'Failed to send reset email')

  await page.goto('/reset-password/x')
  await page.getByLabel('New password', { exact: true }).fill(person.password)
  await page.getByLabel('Confirm password', { exact: true }).fill('Other-line-2')
  await page.getByRole('button', { name: 'Reset password' }).click()
  await alert(page, 'Passwords do not match')
  await page.getByLabel('Confirm password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Reset password' }).click()
  await toast(page, 'Password reset failed')

  await page.goto('/contact')
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('How can we help?').fill('It is too quiet.')
  await page.getByRole('button', { name: 'Submit ticket' }).click()
  await toast(page, 'Failed to submit support ticket')
})

test('spec 8: an address that cannot be verified: the toast, and one of two sentences', async () => {
  const { page } = await openPage({ mayComplain: FAILED })
  const call = '**/api/auth/verify-email/*'
  await cutOff(page, call)
  await page.goto('/verify-email/x')
  await alert(page, 'Email verification failed. The link may be expired or invalid.')
  await toast(page, 'Email verification failed')
  await page.unroute(call)
  await page.route(call, (route) => route.fulfill({ status: 500, body: '' }))
  await page.getByRole('button', { name: 'Try Again' }).click()
  await alert(page, 'Email verification failed. Please try again.')
})

test('spec 8: an application that is refused without a word has a sentence', async () => {
  const { page } = await openPage({ mayComplain: FAILED })
  await page.goto('/careers')
  await page.getByRole('button', { name: 'Staff Software Engineer' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apply Now' }).click()
  const form = page.getByRole('dialog', { name: 'Apply for Staff Software Engineer' })
  await form.getByLabel('Full name').fill('Ada Lovelace')
  await form.getByLabel('Email').fill('ada@example.test')
  await form.getByLabel('Phone').fill('+44 20 1234')
  await form.getByPlaceholder('City, Country').fill('London, United Kingdom')
  await form.getByLabel('Link to your resume').fill('https://example.test/cv.pdf')
  for (const label of ['Country you would', 'Work authorization', 'Where you like']) {
    await form.getByLabel(label).selectOption({ index: 2 })
  }
  await form.getByLabel('Your experience').fill('Engines')
  await form.getByLabel('Why do you want to join?').fill('Words')
  await page.route('**/api/careers/apply', (route) => route.fulfill({ status: 500, body: '' }))
  await form.getByRole('button', { name: 'Submit application' }).click()
  await form.getByText('Failed to submit application. Please try again.').waitFor()
  expect(await form.getByLabel('Full name').inputValue()).toBe('Ada Lovelace')
})

test('spec 8: plans: what is said when amounts, plan or order cannot be had', async () => {
  const { page } = await openPage({ mayComplain: FAILED })
  await signInBrowser(page, (await registeredPerson()).token)
  await page.goto('/subscription')
  const buy = page.getByRole('button', { name: 'Buy Now' })
  const amounts = '**/api/subscription/plan-amounts*'
  await cutOff(page, amounts)
  await buy.click()
  await alert(page, 'Error creating payment: Failed to fetch plan amounts')
  await page.unroute(amounts)
  await page.route(amounts, (route) => route.fulfill({ json: { success: true, planAmounts: {} } }))
  await buy.click()
  await alert(page, 'Error creating payment: Invalid plan type: pro')
})

test('spec 8: plans, signed out: what is said when the subscription cannot be made', async () => {
  const { page } = await openPage({ mayComplain: FAILED })
  const person = await registeredPerson()
  await cutOff(page, '**/api/payment/create-subscription')
  await page.goto('/subscription')
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await page.getByRole('dialog', { name: 'Sign in to continue' }).waitFor()
  await signIn(page, person)
  await toast(page, 'Failed to create subscription')
  await alert(page, 'Error creating subscription: Failed to create subscription')
})

test('spec 8: plans, signed out: a subscription without an id is named', async () => {
  const { page } = await openPage()
  const person = await registeredPerson()
  await page.route('**/api/payment/create-subscription', async (route) => {
    const answer = await route.fetch()
    const body: unknown = await answer.json()
    const text = JSON.stringify(body).replace(/"id":"pur_[^"]+"/, '"id":""')
    await route.fulfill({ response: answer, body: text })
  })
  await page.goto('/subscription')
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await page.getByRole('dialog', { name: 'Sign in to continue' }).waitFor()
  await signIn(page, person)
  await alert(page, 'No subscription ID received from server')
})

test('spec 8: a payment that is refused leads to the cancel page', async () => {
  const { page } = await openPage({ mayComplain: REFUSED })
  await signInBrowser(page, (await registeredPerson()).token)
  await page.goto('/subscription')
  const verify = '**/api/payment/verify-payment'
  const json = { success: false, code: 'SIGNATURE_INVALID', message: '', requestId: 'r' }
  await page.route(verify, (route) => route.fulfill({ status: 400, json }))
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await payByCard(page)
  await expectPath(page, '/subscription/cancel')
  await toast(page, 'Payment verification failed')
  await page.getByRole('heading', { name: 'Payment Verification Failed' }).waitFor()
})

test('spec 8: a verified payment is said in a toast', async () => {
  const { page } = await openPage()
  await signInBrowser(page, (await registeredPerson()).token)
  await page.goto('/subscription')
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await payByCard(page)
  await expectPath(page, '/subscription/success')
  await toast(page, 'Payment verified successfully!')
})

test('spec 8: token packs: what is said when the order or the activation fails', async () => {
  const { page } = await openPage({ mayComplain: FAILED })
  await signInBrowser(page, (await personWithPlan()).token)
  await page.goto('/dashboard?buy=tokens')
  const order = '**/api/payment/create-token-order'
  await cutOff(page, order)
  await page.getByRole('button', { name: 'Pay $25.00' }).click()
  await alert(page, 'Failed to create token purchase order')
  await page.unroute(order)
  await cutOff(page, '**/api/payment/activate-token-purchase')
  const status = '**/api/payment/status/*'
  await cutOff(page, status)
  await page.getByRole('button', { name: 'Pay $25.00' }).click()
  await payByCard(page)
  await alert(page, 'Payment successful but token activation failed. Please contact support.')
  // The webhook brought them; the page finds that out by itself.
  await page.unroute(status)
  await page.getByText('Tokens purchased successfully!').waitFor()
})

test('spec 8: cancelling and reactivating: the fallback of each when there is no answer', async () => {
  const { page } = await openPage({ mayComplain: FAILED })
  await signInBrowser(page, (await personWithPlan()).token)
  await page.goto('/profile?tab=subscription')
  const cancel = async () => {
    await page.getByRole('button', { name: 'Cancel subscription' }).click()
    await page.getByRole('button', { name: 'Cancel at the end of the period' }).click()
  }
  const calls = '**/api/subscription/{cancel,reactivate}'
  await cutOff(page, calls)
  await cancel()
  await toast(page, 'Failed to cancel subscription')
  await page.unroute(calls)
  await cancel()
  await page.getByRole('button', { name: 'Reactivate subscription' }).waitFor()
  await cutOff(page, calls)
  await page.getByRole('button', { name: 'Reactivate subscription' }).click()
  await page.getByRole('button', { name: 'Reactivate', exact: true }).click()
  await toast(page, 'Failed to reactivate subscription')
})

test('spec 8: signing out says so on the next page that shows toasts', async () => {
  const { page } = await openPage({ mayComplain: /status of 401|Transition was skipped/ })
  await signInBrowser(page, (await registeredPerson()).token)
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expectPath(page, '/')
  await page.goto('/contact')
  await toast(page, 'Logged out successfully')
})
