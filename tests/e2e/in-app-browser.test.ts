import { expect, test } from 'vitest'
import { openPage } from '../harness/open-page.ts'
import { DECLINED_CARD, payByCard, tryCard } from './support/checkout.ts'
import { expectPath, registeredPerson, signInBrowser } from './support/person.ts'

const INSTAGRAM =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 401.0.0.21'

test('row 23: inside an app the payment window posts its answer, declined or paid', async () => {
  const { page } = await openPage({ userAgent: INSTAGRAM, width: 390, height: 844 })
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
