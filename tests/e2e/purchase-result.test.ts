import { expect, test } from 'vitest'
import { PURCHASE } from '../../src/contract/messages.ts'
import { hold } from './support/hold.ts'
import { openPage } from '../harness/open-page.ts'
import { REFUSED } from './support/complaints.ts'
import { registeredPerson, signInBrowser } from './support/person.ts'

const LEFT = {
  title: 'Subscription Cancelled',
  message: 'You left before the payment was finished.',
  suggestion: 'you can try again whenever you like.',
}

const REASONS = {
  payment_not_captured: {
    title: 'Payment Not Completed',
    message: 'Your bank did not complete the payment, so nothing was added to your account.',
    suggestion: 'Try again, or use another card.',
  },
  verification_failed: {
    title: 'Payment Verification Failed',
    message: 'We could not confirm that this payment belongs to your order.',
    suggestion: 'write to support with the date and the amount',
  },
  processing_error: {
    title: 'Processing Error',
    message: 'Something went wrong while we were processing your payment.',
    suggestion: 'Check there before you try again.',
  },
  constructor: LEFT,
  '': LEFT,
}

test('/subscription/cancel says what happened and what to do, and quotes a short part of its address as text', async () => {
  const { page } = await openPage()
  await signInBrowser(page, (await registeredPerson()).token)
  for (const [reason, { title, message, suggestion }] of Object.entries(REASONS)) {
    await page.goto(`/subscription/cancel?reason=${reason}`)
    await page.getByRole('heading', { name: title }).waitFor()
    await page.getByText(message).waitFor()
    await page.getByText(suggestion).waitFor()
    const card = page.locator('main .status-card')
    const linkTo = (name: string) => card.getByRole('link', { name }).getAttribute('href')
    await expect.poll(() => linkTo('Back to Plans')).toBe('/subscription')
    await expect.poll(() => linkTo('Go to Dashboard')).toBe('/dashboard')
  }
  for (const [search, mentions] of [
    ['', 0],
    ['reason=verification_failed&', 1],
  ] as const) {
    const about = 'payment_id=pay_EMUp7Q8r9S0t1U&error=Card%20declined%20%3Cb%3E'
    await page.goto(`/subscription/cancel?${search}${about}`)
    await page.getByText('pay_EMUp7Q8r9S0t1U').waitFor()
    await page.getByText('Card declined <b>').waitFor()
    await expect.poll(() => page.getByText('the payment ID below').count()).toBe(mentions)
  }
  await page.goto(`/subscription/cancel?error=${'Call us! '.repeat(100)}`)
  await page.getByText('Call us! '.repeat(14).slice(0, 120).trim(), { exact: true }).waitFor()
})

test("the success page says that it verifies, and finds no purchase for another account's order, or for none", async () => {
  const { page } = await openPage({ mayComplain: REFUSED })
  await signInBrowser(page, (await registeredPerson()).token)
  const release = await hold(page, '**/api/payment/**')
  await page.goto('/subscription/success?order_id=order_EMUa1B2c3D4e5F')
  await page.getByRole('heading', { name: 'Verifying your payment' }).waitFor()
  release()
  await page.getByText(PURCHASE.notFound).waitFor()
  await page.goto('/subscription/success')
  await page.getByText(PURCHASE.notFound).waitFor()
})
