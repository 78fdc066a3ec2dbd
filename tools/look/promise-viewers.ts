import type { Page } from 'playwright-core'
import { factsOf } from '../../edge-api/domain/ports/payments.ts'
import { settle } from '../../edge-api/domain/purchase/settle.ts'
import { days } from '../../edge-api/domain/time.ts'
import { createUser } from '../../tests/harness/user.ts'
import { createPurchase, disputeOf, paymentFor } from '../../tests/harness/fixture/purchase.ts'
import { createFixture } from '../../tests/harness/fixture/fixture.ts'
import { BUY, rejectUntilPlace } from '../../tests/e2e/support/checkout.ts'
import { userWithInvoice } from '../../tests/e2e/support/invoice.ts'
import { announceTermsTo } from '../../tests/e2e/support/user.ts'
import {
  dashboard,
  dialog,
  type Screen,
  screen,
  subscription,
  type Viewer,
  withdraw,
} from '../../tests/e2e/support/screens.ts'

/** Accounts that withdraw from a purchase, have a tax invoice, or are asked to accept new terms. */
export function promiseViewers(): Promise<Viewer[]> {
  return Promise.all([withdrawing(), taxed(), told()])
}

/** Withdraws from a purchase. */
async function withdrawing(): Promise<Viewer> {
  const { bearer } = await createUser({ hasPlan: true })
  const confirm = async (page: Page) => {
    await withdraw(page)
    await dialog('Confirm withdrawal', 'Refund requested')(page)
  }
  const asked: Screen = { ...subscription, open: confirm }
  return { who: 'withdrawing', token: bearer, screens: [asked] }
}

/** Has a tax invoice, and the pages of a seller whose prices include tax. */
async function taxed(): Promise<Viewer> {
  const { bearer, path } = await userWithInvoice()
  const place = screen('/subscription', 'Pro', async (page) => {
    await rejectUntilPlace(page, '**/api/payment/create-order')
    await dialog(BUY, 'Where are you?')(page)
  })
  const enter = async (page: Page) => {
    await page.route('**/profile?*', async (route) => {
      const answer = await route.fetch()
      const text = await answer.text()
      const isTaxed = (is: boolean) => `&quot;isTaxed&quot;:[0,${String(is)}]`
      await route.fulfill({ response: answer, body: text.replace(isTaxed(false), isTaxed(true)) })
    })
  }
  const billing = screen('/profile?tab=subscription', 'Billing details')
  const screens = [screen(path, /^Tax invoice/), billing, place]
  return { who: 'taxed', token: bearer, screens, enter }
}

/** Was notified of new terms a month ago. */
async function told(): Promise<Viewer> {
  const user = await createUser({ hasPlan: true })
  await announceTermsTo(user.userId, 31)
  return { who: 'told', token: user.bearer, screens: [dashboard] }
}

/** Disputes a purchase of the account. Returns the dispute's id. */
export async function dispute(userId: string): Promise<string> {
  const ctx = createFixture().ctx()
  const purchase = await createPurchase(ctx, userId)
  const payment = paymentFor(purchase)
  const disputed = disputeOf(payment, {
    beganAt: ctx.now,
    respondBy: ctx.now + days(5),
  })
  const facts = { payments: [payment], disputes: [disputed] }
  await settle(ctx, purchase, factsOf(facts))
  return disputed.id
}
