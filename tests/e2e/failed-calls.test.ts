import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { FIELD, PURCHASE, TOAST, VERIFICATION } from '../../src/contract/messages.ts'
import { openPage } from '../harness/open-page.ts'
import { payByCard } from './support/checkout.ts'
import { FAILED } from './support/complaints.ts'
import {
  fillRegistration,
  newPerson,
  personWithPlan,
  registeredPerson,
  signIn,
  signInBrowser,
} from './support/person.ts'

/** Aborts every call to this path. */
const cutOff = (page: Page, path: string) => page.route(path, (route) => route.abort())

const toast = (page: Page, text: string) =>
  page.locator('.toast').getByText(text, { exact: true }).first().waitFor()

const alert = (page: Page, text: string) =>
  page.locator('main, dialog').getByText(text, { exact: true }).first().waitFor()

test('without an answer each form shows the fallback toast of its call', async () => {
  const { page } = await openPage({ mayComplain: FAILED })
  await cutOff(page, '**/api/**')
  const person = newPerson()
  await page.goto('/login')
  await signIn(page, person)
  await toast(page, TOAST.loginFailed)

  await page.goto('/register')
  await fillRegistration(page, person)
  await page.getByRole('button', { name: 'Create account' }).click()
  await toast(page, TOAST.registrationFailed)

  await page.goto('/forgot-password')
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await toast(page, TOAST.resetMailFailed)

  await page.goto('/reset-password/x')
  await page.getByLabel('New password', { exact: true }).fill(person.password)
  await page.getByLabel('Confirm password', { exact: true }).fill('Other-line-2')
  await page.getByRole('button', { name: 'Reset password' }).click()
  await alert(page, FIELD.passwordsDiffer)
  await page.getByLabel('Confirm password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Reset password' }).click()
  await toast(page, TOAST.resetFailed)

  await page.goto('/contact')
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('How can we help?').fill('It is too quiet.')
  await page.getByRole('button', { name: 'Submit ticket' }).click()
  await toast(page, TOAST.ticketFailed)
})

test('an address that cannot be verified shows the toast and one of two sentences', async () => {
  const { page } = await openPage({ mayComplain: FAILED })
  const call = '**/api/auth/verify-email/*'
  await cutOff(page, call)
  await page.goto('/verify-email/x')
  await alert(page, VERIFICATION.expired)
  await toast(page, TOAST.verificationFailed)
  await page.unroute(call)
  await page.route(call, (route) => route.fulfill({ status: 500, body: '' }))
  await page.getByRole('button', { name: 'Try Again' }).click()
  await alert(page, VERIFICATION.failed)
})

test('Buy Now says when the plan amounts cannot be loaded or lack the plan', async () => {
  const { page } = await openPage({ mayComplain: FAILED })
  await signInBrowser(page, (await registeredPerson()).token)
  await page.goto('/subscription')
  const buy = page.getByRole('button', { name: 'Buy Now' })
  const amounts = '**/api/subscription/plan-amounts*'
  await cutOff(page, amounts)
  await buy.click()
  await alert(page, PURCHASE.paymentError(PURCHASE.planAmountsFailed))
  await page.unroute(amounts)
  await page.route(amounts, (route) => route.fulfill({ json: { success: true, planAmounts: {} } }))
  await buy.click()
  await alert(page, PURCHASE.paymentError(PURCHASE.invalidPlanType('pro')))
})

test('a guest who signs in to buy is told when the subscription cannot be created', async () => {
  const { page } = await openPage({ mayComplain: FAILED })
  const person = await registeredPerson()
  await cutOff(page, '**/api/payment/create-subscription')
  await page.goto('/subscription')
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await page.getByRole('dialog', { name: 'Sign in to continue' }).waitFor()
  await signIn(page, person)
  await toast(page, TOAST.subscriptionFailed)
  await alert(page, PURCHASE.subscriptionError(TOAST.subscriptionFailed))
})

test('a guest who signs in to buy is told when the subscription has no id', async () => {
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
  await alert(page, PURCHASE.noSubscriptionId)
})

test('a token pack says when its order or its activation fails, and finds a payment by itself', async () => {
  const { page } = await openPage({ mayComplain: FAILED })
  await signInBrowser(page, (await personWithPlan()).token)
  await page.goto('/dashboard?buy=tokens')
  const order = '**/api/payment/create-token-order'
  await cutOff(page, order)
  await page.getByRole('button', { name: 'Pay $25.00' }).click()
  await alert(page, PURCHASE.tokenOrderFailed)
  await page.unroute(order)
  await cutOff(page, '**/api/payment/activate-token-purchase')
  const status = '**/api/payment/status/*'
  await cutOff(page, status)
  await page.getByRole('button', { name: 'Pay $25.00' }).click()
  await payByCard(page)
  await alert(page, PURCHASE.tokenActivationFailed)
  // The webhook granted the tokens; the page finds out by itself.
  await page.unroute(status)
  await page.getByText('Tokens purchased successfully!').waitFor()
})

test('without an answer cancelling and reactivating show their fallback toasts', async () => {
  const { page } = await openPage({ mayComplain: FAILED })
  await signInBrowser(page, (await personWithPlan()).token)
  await page.goto('/profile?tab=subscription')
  const cancel = async () => {
    await page.getByRole('button', { name: 'Cancel subscription' }).click()
    await page.getByRole('button', { name: 'Cancel my plan' }).click()
  }
  const calls = '**/api/subscription/{cancel,reactivate}'
  await cutOff(page, calls)
  await cancel()
  await toast(page, TOAST.cancelFailed)
  await page.unroute(calls)
  await cancel()
  await page.getByRole('button', { name: 'Reactivate subscription' }).waitFor()
  await cutOff(page, calls)
  await page.getByRole('button', { name: 'Reactivate subscription' }).click()
  await page.getByRole('button', { name: 'Reactivate', exact: true }).click()
  await toast(page, TOAST.reactivateFailed)
})
