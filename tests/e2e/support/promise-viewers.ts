import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { users } from '../../../edge-api/db/schema/users.ts'
import { factsOf } from '../../../edge-api/domain/ports/payments.ts'
import { askRefund, refundQuote } from '../../../edge-api/domain/purchase/ask-refund.ts'
import { listPurchases } from '../../../edge-api/domain/purchase/purchase-history.ts'
import { settle } from '../../../edge-api/domain/purchase/settle.ts'
import { days } from '../../../edge-api/domain/time.ts'
import { createMember } from '../../harness/member.ts'
import { database, unconfirm } from '../../harness/stored.ts'
import { createPurchase, paymentFor, providerId, refundOf } from '../../harness/world/purchase.ts'
import { callOf, createWorld } from '../../harness/world/world.ts'
import { BUY, refuseUntilPlace } from './checkout.ts'
import { memberWithInvoice } from './invoice.ts'
import { tellOfTerms } from './person.ts'
import { dashboard, dialog, press, type Screen, type Viewer, subscription } from './screens.ts'

/** Accounts that withdraw from a purchase, have a tax invoice, or are asked to accept new terms. */
export function promiseViewers(): Promise<Viewer[]> {
  return Promise.all([withdrawing(), withdrawn(), mailed(), disputed(), taxed(), told()])
}

const withdraw = dialog(
  'Get a refund (withdraw from contract)',
  'Withdraw from this contract and get a refund?',
)

/** Withdraws from a purchase. */
async function withdrawing(): Promise<Viewer> {
  const { bearer } = await createMember({ hasPlan: true })
  const asked: Screen = {
    ...subscription,
    open: async (page) => {
      await withdraw(page)
      await dialog('Confirm withdrawal', 'Refund requested')(page)
    },
  }
  return { who: 'withdrawing', token: bearer, screens: [asked] }
}

/** Withdrew from a purchase, and the money is on its way. */
async function withdrawn(): Promise<Viewer> {
  const member = await createMember({ hasPlan: true })
  const ctx = createWorld().ctx()
  const { userId, sessionId } = member
  const claims = { userId, sessionId }
  const { purchases } = await listPurchases(ctx, { ...callOf(claims), query: { limit: 1 } })
  const params = { purchaseId: purchases[0]?.purchaseId ?? '' }
  const { refund } = await refundQuote(ctx, { ...callOf(claims), params })
  await askRefund(ctx, { ...callOf(claims), params, body: { amount: refund.amount } })
  return { who: 'withdrawn', token: member.bearer, screens: [dashboard, subscription] }
}

/** Has an account without a password, and confirms by mail. */
async function mailed(): Promise<Viewer> {
  const member = await createMember({ hasPlan: true })
  const db = database()
  await db.batch([db.update(users).set({ passwordHash: '' }).where(eq(users.id, member.userId))])
  await unconfirm(member)
  const linkSent: Screen = {
    ...subscription,
    open: async (page) => {
      await withdraw(page)
      await press('Confirm withdrawal')(page)
      await page.getByText('We emailed you a link.').waitFor()
    },
  }
  return { who: 'mailed', token: member.bearer, screens: [linkSent] }
}

/** Has a payment in dispute. */
async function disputed(): Promise<Viewer> {
  const { userId, bearer } = await createMember()
  await dispute(userId)
  const refused: Screen = {
    ...subscription,
    open: async (page) => {
      await withdraw(page)
      await page.getByText('Your bank is disputing this payment').waitFor()
    },
  }
  return { who: 'disputed', token: bearer, screens: [refused] }
}

/** Has a tax invoice, and the pages of a seller whose prices include tax. */
async function taxed(): Promise<Viewer> {
  const { bearer, path } = await memberWithInvoice()
  const place: Screen = {
    path: '/subscription',
    heading: 'Pro',
    open: async (page) => {
      await refuseUntilPlace(page, '**/api/payment/create-order')
      await dialog(BUY, 'Where are you?')(page)
    },
  }
  const enter = async (page: Page) => {
    await page.route('**/profile?*', async (route) => {
      const answer = await route.fetch()
      const text = await answer.text()
      const isTaxed = (is: boolean) => `&quot;isTaxed&quot;:[0,${String(is)}]`
      await route.fulfill({ response: answer, body: text.replace(isTaxed(false), isTaxed(true)) })
    })
  }
  const billing: Screen = { path: '/profile?tab=subscription', heading: 'Billing details' }
  const screens: Screen[] = [{ path, heading: /^Tax invoice/ }, billing, place]
  return { who: 'taxed', token: bearer, screens, enter }
}

/** Was told of new terms a month ago. */
async function told(): Promise<Viewer> {
  const member = await createMember({ hasPlan: true })
  await tellOfTerms(member.userId, 31)
  return { who: 'told', token: member.bearer, screens: [dashboard] }
}

/** Disputes a purchase of the account. Returns the dispute's id. */
export async function dispute(userId: string): Promise<string> {
  const ctx = createWorld().ctx()
  const purchase = await createPurchase(ctx, userId)
  const payment = paymentFor(purchase)
  const disputed = refundOf(payment, {
    id: providerId('disp'),
    kind: 'dispute',
    state: 'open',
    phase: 'chargeback',
    amountMinor: payment.amountMinor,
    beganAt: ctx.now,
    respondBy: ctx.now + days(5),
  })
  const facts = { payments: [payment], refundsAndDisputes: [disputed] }
  await settle(ctx, purchase, factsOf(facts))
  return disputed.id
}
