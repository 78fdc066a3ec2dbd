import type { FrameLocator, Page } from 'playwright-core'

/** The window of the payment widget. */
export function checkoutFrame(page: Page): FrameLocator {
  return page.frameLocator('iframe.razorpay-checkout-frame')
}

/** Pays with the test card that succeeds, one-time password included. */
export async function payByCard(page: Page, number = '4100 2800 0000 1007'): Promise<void> {
  const frame = checkoutFrame(page)
  await frame.getByLabel('Card number').fill(number)
  await frame.getByRole('button', { name: /^Pay / }).click()
  await frame.getByLabel('One-time password').fill('1234')
  await frame.getByRole('button', { name: 'Confirm' }).click()
}
