import { expect, test } from 'vitest'
import { meEndpoint } from '../../src/contract/account.ts'
import { askGood } from '../harness/ask.ts'
import { BUY, checkoutFrame, PRICE, rejectUntilPlace } from './support/checkout.ts'
import { REJECTED } from './support/console-errors.ts'
import { openAs, registeredUser } from './support/user.ts'

test('a buyer in dollars whose place must be known is asked for it, and then gets the payment window', async () => {
  const buyer = await registeredUser()
  const { page } = await openAs(buyer.bearer, '/subscription', { mayLog: REJECTED })
  await rejectUntilPlace(page, '**/api/payment/create-order')
  await page.locator('.plan-price', { hasText: PRICE.USD }).waitFor()
  await page.getByRole('button', { name: BUY }).click()
  const dialog = page.getByRole('dialog', { name: 'Where are you?' })
  // As the connection suggests.
  expect(await dialog.getByLabel('Where you are').inputValue()).toBe('96')
  await dialog.getByRole('button', { name: 'Continue to payment' }).click()
  await checkoutFrame(page).getByLabel('Card number').waitFor()
  const { user } = await askGood(buyer, meEndpoint)
  expect(user.billing).toMatchObject({ place: '96', gstin: '' })
})
