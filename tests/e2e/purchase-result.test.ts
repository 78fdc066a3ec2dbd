import { expect, test } from 'vitest'
import { PURCHASE, TOAST } from '../../src/contract/messages.ts'
import { openPage } from '../harness/open-page.ts'
import { payByCard } from './support/checkout.ts'
import { REFUSED } from './support/complaints.ts'
import { expectPath, registeredPerson, signInBrowser } from './support/person.ts'

test.each([
  {
    reason: 'payment_not_captured',
    title: 'Payment Not Completed',
    message: 'Your bank did not complete the payment, so no plan was activated.',
    suggestion: 'Try again, or use another card.',
  },
  {
    reason: 'verification_failed',
    title: 'Payment Verification Failed',
    message: 'We could not confirm that this payment belongs to your order.',
    suggestion: 'write to support with the day and the amount',
  },
  {
    reason: 'processing_error',
    title: 'Processing Error',
    message: 'Something went wrong while we were processing your payment.',
    suggestion: 'Look there before you try again.',
  },
  {
    reason: 'constructor',
    title: 'Subscription Cancelled',
    message: 'You left before the payment was finished, and nothing was charged.',
    suggestion: 'You can choose a plan again whenever you like.',
  },
  {
    reason: '',
    title: 'Subscription Cancelled',
    message: 'You left before the payment was finished, and nothing was charged.',
    suggestion: 'You can choose a plan again whenever you like.',
  },
])(
  '/subscription/cancel with the reason "$reason" says what happened and what to do',
  async (row) => {
    const { page } = await openPage()
    await signInBrowser(page, (await registeredPerson()).token)
    await page.goto(`/subscription/cancel?reason=${row.reason}`)
    await page.getByRole('heading', { name: row.title }).waitFor()
    await page.getByText(row.message).waitFor()
    await page.getByText(row.suggestion).waitFor()
    const links = page.locator('main .status-card a')
    expect(
      await links.evaluateAll((found) =>
        found.map((link) => [link.textContent.trim(), link.getAttribute('href')]),
      ),
    ).toEqual(
      expect.arrayContaining([
        ['Back to Plans', '/subscription'],
        ['Go to Dashboard', '/dashboard'],
      ]),
    )
  },
)

test.each(['', 'reason=verification_failed&'])(
  '/subscription/cancel?%s shows the payment id and the error as text',
  async (search) => {
    const { page } = await openPage()
    await signInBrowser(page, (await registeredPerson()).token)
    const more = 'payment_id=pay_EMUp7Q8r9S0t1U&error=Card%20declined%20%3Cb%3E'
    await page.goto(`/subscription/cancel?${search}${more}`)
    await page.getByText('pay_EMUp7Q8r9S0t1U').waitFor()
    await page.getByText('Card declined <b>').waitFor()
    const mentions = await page.getByText('the payment id below').count()
    expect(mentions).toBe(search === '' ? 0 : 1)
  },
)

test('/subscription/cancel quotes a short part of what its address says', async () => {
  const { page } = await openPage()
  await signInBrowser(page, (await registeredPerson()).token)
  await page.goto(`/subscription/cancel?error=${'Call us! '.repeat(100)}`)
  expect(await page.locator('dd q').innerText()).toBe('Call us! '.repeat(14).slice(0, 120).trim())
})

test('a payment whose verification is refused leads to the cancel page', async () => {
  const { page } = await openPage({ mayComplain: REFUSED })
  await signInBrowser(page, (await registeredPerson()).token)
  await page.goto('/subscription')
  const verify = '**/api/payment/verify-payment'
  const json = { success: false, code: 'SIGNATURE_INVALID', message: '', requestId: 'r' }
  await page.route(verify, (route) => route.fulfill({ status: 400, json }))
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await payByCard(page)
  await expectPath(page, '/subscription/cancel')
  await page.locator('.toast').getByText(TOAST.paymentVerificationFailed).waitFor()
  await page.getByRole('heading', { name: 'Payment Verification Failed' }).waitFor()
})

test("the success page finds no purchase for another account's order, or for none", async () => {
  const { page } = await openPage({ mayComplain: REFUSED })
  await signInBrowser(page, (await registeredPerson()).token)
  for (const search of ['', '?order_id=order_EMUa1B2c3D4e5F']) {
    await page.goto(`/subscription/success${search}`)
    await page.getByText(PURCHASE.notFound).waitFor()
  }
})

test('/subscription/success says that it is verifying the payment', async () => {
  const { page } = await openPage({ mayComplain: REFUSED })
  await signInBrowser(page, (await registeredPerson()).token)
  await page.route('**/api/payment/**', () => undefined)
  await page.goto('/subscription/success?order_id=order_EMUa1B2c3D4e5F')
  await page.getByRole('heading', { name: 'Verifying your payment' }).waitFor()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})
