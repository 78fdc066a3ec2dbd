import { expect, test } from 'vitest'
import { openPage } from '../harness/open-page.ts'
import { registeredUser, signInBrowser } from './support/user.ts'

const PAYMENT = 'pay_EMUp7Q8r9S0t1U'
const ERROR = `Card declined <b> ${'Call us! '.repeat(100)}`

test('/subscription/cancel says what happened and what to do, and quotes a short part of its address as text', async () => {
  const { page } = await openPage()
  await signInBrowser(page, (await registeredUser()).bearer)
  for (const [query, title, words] of [
    [{ reason: 'constructor' }, 'Subscription Cancelled', 'you can try again whenever you like.'],
    [
      { reason: 'verification_failed' },
      'Payment Verification Failed',
      'write to support with the date and the amount',
    ],
    [
      { reason: 'verification_failed', payment_id: PAYMENT, error: ERROR },
      'Payment Verification Failed',
      'write to support with the payment ID below',
    ],
  ] as const) {
    await page.goto(`/subscription/cancel?${new URLSearchParams(query).toString()}`)
    await page.getByRole('heading', { name: title }).waitFor()
    await page.getByText(words).waitFor()
    const quoted = 'payment_id' in query ? [PAYMENT, ERROR.slice(0, 120).trim()] : []
    await expect.poll(() => page.locator('main dd').allInnerTexts()).toEqual(quoted)
    const card = page.locator('main .status-card')
    const linkTo = (name: string) => card.getByRole('link', { name }).getAttribute('href')
    await expect.poll(() => linkTo('Back to Plans')).toBe('/subscription')
    await expect.poll(() => linkTo('Go to Dashboard')).toBe('/dashboard')
  }
})
