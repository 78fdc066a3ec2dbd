import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { useTokensEndpoint } from '../../src/contract/report-usage.ts'
import { askGood } from '../harness/ask.ts'
import { openPage } from '../harness/open-page.ts'
import { database } from '../harness/stored.ts'
import { newVisitor } from '../harness/visitor.ts'
import { controlOf } from '../harness/world/razorpay.ts'
import { payByCard, runPreset } from './support/checkout.ts'
import { REFUSED } from './support/complaints.ts'
import { expectPath, registeredPerson, signInBrowser } from './support/person.ts'

type Person = Awaited<ReturnType<typeof registeredPerson>>

/** The payments of a person's purchases, oldest first. */
async function paymentsOf({ userId }: Person) {
  const db = database()
  const [rows] = await db.batch([
    db.all<{ id: string; amount: number }>(sql`
      SELECT m.id, m.amount_minor AS amount FROM grants g JOIN payments m ON m.id = g.payment_id
      WHERE g.user_id = ${userId} ORDER BY g.granted_at`),
  ])
  return rows
}

async function refundsOf(paymentId: string) {
  const db = database()
  const [rows] = await db.batch([
    db.all<{ amount: number; state: string }>(sql`
      SELECT amount_minor AS amount, state FROM refunds_and_disputes
      WHERE payment_id = ${paymentId} AND kind = 'refund'`),
  ])
  return rows
}

/** Uses tokens as the desktop app does. */
function use({ token }: Person, amount: number) {
  const visitor = newVisitor(inject('siteUrl'))
  const app = { ...visitor, call: visitor.call.bind(visitor) }
  const call: typeof app.call = (path, options = {}) =>
    app.call(path, { bearer: token, ...options })
  return askGood({ ...app, call }, useTokensEndpoint, { body: { amount } })
}

async function buyInRupees(page: Page): Promise<void> {
  await page.goto('/subscription')
  await page.getByLabel('INR (₹)').check()
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await payByCard(page)
  await expectPath(page, '/dashboard')
}

async function openPurchases(page: Page): Promise<void> {
  await page.goto('/profile?tab=subscription')
  await page.getByRole('heading', { name: 'Purchases' }).waitFor()
  await page.getByRole('heading', { name: 'Refunds' }).waitFor()
}

test('bought, refunded by oneself after a third was used, bought again, a pack bought and disputed: to the last paisa', async () => {
  const { page } = await openPage({ mayComplain: REFUSED })
  const person = await registeredPerson()
  await signInBrowser(page, person.token)
  await buyInRupees(page)
  await page.getByText('/ 1,000,000').waitFor()
  await use(person, 333_333)

  await openPurchases(page)
  await page.getByRole('button', { name: 'Withdraw from this contract' }).click()
  const dialog = page.getByRole('dialog', { name: 'Withdraw from this contract?' })
  await dialog.getByText('666,667 of 1,000,000 tokens').waitFor()
  // 2,999.00 × 666,667 ÷ 1,000,000 = 1,999.334333
  await dialog.getByText('₹1999.33').waitFor()
  await dialog.getByRole('button', { name: 'Confirm withdrawal' }).click()
  const done = page.getByRole('dialog', { name: 'You withdrew from this contract' })
  await done.getByText('₹1999.33 goes back to the payment method you used.').waitFor()
  await done.locator('.dialog-actions').getByRole('button', { name: 'Close' }).click()

  const [plan] = await paymentsOf(person)
  await expect
    .poll(() => refundsOf(plan?.id ?? ''), { timeout: 10_000 })
    .toEqual([{ amount: 199_933, state: 'final' }])
  await page.reload()
  await page.getByText(/You asked for ₹1999.33 back on .+ Sent on /).waitFor()
  expect(await page.getByRole('button', { name: 'Withdraw from this contract' }).count()).toBe(0)
  await page.locator('dd', { hasText: 'Refunded' }).first().waitFor()

  await buyInRupees(page)
  await page.getByText('/ 1,333,333').waitFor()
  await page.getByRole('button', { name: 'Purchase More Tokens' }).click()
  await page.getByLabel('INR ₹2199.00').check()
  await page.getByRole('button', { name: 'Pay ₹2199.00' }).click()
  await runPreset(page, 'handler-only')
  await page.getByText('/ 2,333,333').waitFor()

  const pack = (await paymentsOf(person)).at(-1)
  expect(pack?.amount).toBe(219_900)
  const razorpay = controlOf(inject('emulatorUrl'))
  const dispute = { event: 'created', amount: 219_900 }
  await razorpay.send('POST', `/payments/${pack?.id ?? ''}/dispute`, dispute)
  await expect.poll(() => leftOf(person), { timeout: 10_000 }).toBe(1_000_000)

  await openPurchases(page)
  await page.getByText('1,000,000 of 1,333,333').waitFor()
  const [ofPack, ofPlan] = await page
    .getByRole('button', { name: 'Withdraw from this contract' })
    .all()
  await ofPack?.click()
  await page.getByText('Your bank has this payment in dispute').waitFor()
  await page.keyboard.press('Escape')
  await ofPlan?.click()
  // The tokens that were used belong to the plan that went back, so the second is whole.
  await dialog.getByText('1,000,000 of 1,000,000 tokens').waitFor()
  await dialog.getByText('₹2999.00', { exact: true }).last().waitFor()
  await dialog.getByRole('button', { name: 'Keep it' }).click()
})

async function leftOf({ userId }: Person): Promise<number> {
  const db = database()
  const [rows] = await db.batch([
    db.all<{ left: number }>(
      sql`SELECT total - used AS left FROM balances WHERE user_id = ${userId}`,
    ),
  ])
  return rows[0]?.left ?? 0
}

test('a session that was not confirmed lately asks for the password before the refund', async () => {
  const { page } = await openPage({ mayComplain: REFUSED })
  const person = await registeredPerson({ hasPlan: true })
  const db = database()
  await db.batch([
    db.run(sql`UPDATE sessions SET confirmed_at = NULL WHERE user_id = ${person.userId}`),
  ])
  await signInBrowser(page, person.token)
  await openPurchases(page)
  await page.getByRole('button', { name: 'Withdraw from this contract' }).click()
  await page.getByRole('button', { name: 'Confirm withdrawal' }).click()
  const confirm = page.getByRole('dialog', { name: 'Please confirm that it is you' })
  await confirm.getByLabel('Your password').fill(person.password)
  await confirm.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('dialog', { name: 'You withdrew from this contract' }).waitFor()
})

test('an account without a password confirms with the mailed link', async () => {
  const { page } = await openPage({ mayComplain: REFUSED })
  const person = await registeredPerson({ hasPlan: true })
  const db = database()
  await db.batch([
    db.run(sql`UPDATE users SET password_hash = '' WHERE id = ${person.userId}`),
    db.run(sql`UPDATE sessions SET confirmed_at = NULL WHERE user_id = ${person.userId}`),
  ])
  await signInBrowser(page, person.token)
  await openPurchases(page)
  await page.getByRole('button', { name: 'Withdraw from this contract' }).click()
  await page.getByRole('button', { name: 'Confirm withdrawal' }).click()
  await page.getByText('We sent you a link by mail.').waitFor()
  const links = await mailedLinks(person.email)
  expect(links).toHaveLength(1)
  // The address differs in its hash alone, for which a browser loads nothing.
  await page.goto('/')
  await page.goto(new URL(links[0] ?? '').href.replace(/^https?:\/\/[^/]+/, ''))
  await page.getByRole('button', { name: 'Confirm withdrawal' }).click()
  await page.getByRole('dialog', { name: 'You withdrew from this contract' }).waitFor()
  expect(new URL(page.url()).hash).toBe('')
})

async function mailedLinks(to: string): Promise<string[]> {
  const db = database()
  const [rows] = await db.batch([
    db.all<{ purchaseId: string; secret: string }>(sql`
      SELECT payload ->> 'purchaseId' AS purchaseId, payload ->> 'secret' AS secret
      FROM mails WHERE to_address = ${to} AND kind = 'refund_link'`),
  ])
  return rows.map(
    ({ purchaseId, secret }) =>
      `http://localhost/profile?tab=subscription#refund=${purchaseId}.${secret}`,
  )
}
