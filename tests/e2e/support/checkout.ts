import type { FrameLocator, Page } from 'playwright-core'
import { OUTSIDE_INDIA } from '../../../src/contract/billing.ts'
import { buyLabel, MAIN_PLAN, majorAmount } from '../../../src/contract/catalogue.ts'
import { formatMinor } from '../../../src/contract/amount.ts'
import { formatPrice } from '../../../src/lib/numbers.ts'
import { PURCHASE } from '../../../src/contract/messages.ts'

/** The button of the first plan. */
export const BUY = buyLabel(MAIN_PLAN.name)

const { USD, INR } = MAIN_PLAN.priceMinor
/** The price of the plan on its card: `$35`. */
export const PRICE = {
  USD: formatPrice(majorAmount(USD), 'USD'),
  INR: formatPrice(majorAmount(INR), 'INR'),
}
/** What is paid for it, on buttons and receipts: `$35.00`. */
export const PAID = { USD: formatMinor(USD, 'USD'), INR: formatMinor(INR, 'INR') }

/** The window of the payment widget. */
export function checkoutFrame(page: Page): FrameLocator {
  return page.frameLocator('iframe.razorpay-checkout-frame')
}

export const DECLINED_CARD = '4100 2800 0006 0003'

/** Submits a card, which its bank may decline at once. */
export async function tryCard(page: Page, number: string): Promise<void> {
  const frame = checkoutFrame(page)
  await frame.getByLabel('Card number').fill(number)
  await frame.getByRole('button', { name: /^Pay / }).click()
}

/** Pays with the test card that succeeds, including its one-time password. */
export async function payByCard(page: Page): Promise<void> {
  const frame = checkoutFrame(page)
  await tryCard(page, '4100 2800 0000 1007')
  await frame.getByLabel('One-time password').fill('1234')
  await frame.getByRole('button', { name: 'Confirm' }).click()
}

/** Rejects the first order as the server does where prices include tax and only the connection tells the buyer's place. */
export async function rejectUntilPlace(page: Page, path: string) {
  const body = {
    success: false,
    code: 'BILLING_REQUIRED',
    message: PURCHASE.billingRequired,
    requestId: 'of-the-test',
    place: OUTSIDE_INDIA,
  }
  // With `times: 1` a request that is under way when the route ends can stay without an answer.
  let isRejected = false
  await page.route(path, async (route) => {
    if (isRejected) return route.fallback()
    isRejected = true
    await route.fulfill({ status: 409, json: body })
  })
}
