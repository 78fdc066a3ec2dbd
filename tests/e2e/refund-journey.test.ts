import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { MAIN_PLAN } from '../../src/contract/catalogue.ts'
import { useTokensEndpoint } from '../../src/contract/report-usage.ts'
import { formatMinor } from '../../src/contract/amount.ts'
import { askGood } from '../harness/ask.ts'
import type { TestUser } from '../harness/user.ts'
import { database, unconfirm } from '../harness/stored.ts'
import { REJECTED } from './support/console-errors.ts'
import { expectFocus } from './support/focus.ts'
import { openAs, userWhoPaid } from './support/user.ts'

async function refundsOf({ userId }: TestUser) {
  const db = database()
  const [rows] = await db.batch([
    db.all<{ amount: number; state: string }>(sql`
      SELECT r.amount_minor AS amount, r.state FROM grants g
      JOIN refunds_and_disputes r ON r.payment_id = g.payment_id AND r.kind = 'refund'
      WHERE g.user_id = ${userId}`),
  ])
  return rows
}

test('a buyer who used a third of a plan gets the rest of the money back, to the last paisa, after a confirmation', async () => {
  const user = await userWhoPaid('INR')
  await askGood(user, useTokensEndpoint, { body: { amount: 333_333 } })
  await unconfirm(user)
  const { page } = await openAs(user.bearer, '/dashboard', { mayLog: REJECTED })
  await page.getByText('Tokens that you have stay usable after that.').waitFor()
  await page.getByRole('link', { name: 'Get a refund' }).click()
  await page.getByRole('heading', { name: 'Purchases' }).waitFor()
  await page.getByRole('heading', { name: 'Refunds' }).waitFor()
  const refund = new RegExp(`^Get a refund \\(withdraw from contract\\) for ${MAIN_PLAN.name}, R-`)
  await page.getByRole('button', { name: refund }).click()
  const dialog = page.getByRole('dialog', { name: 'Withdraw from this contract and get a refund?' })
  await dialog.getByText('666,667 of 1,000,000 tokens').waitFor()
  const amount = Math.round((MAIN_PLAN.priceMinor.INR * 666_667) / MAIN_PLAN.tokens)
  const shown = formatMinor(amount, 'INR')
  await expectFocus(dialog.locator('dl', { hasText: shown }))
  await page.getByText(`${shown} is refunded for the tokens that you have not used`).waitFor()
  await dialog.getByRole('button', { name: 'Confirm withdrawal' }).click()
  const confirm = page.getByRole('dialog', { name: 'Please confirm it’s you' })
  expect(await confirm.locator('[autocomplete=username]').inputValue()).toBe(user.email)
  await confirm.getByLabel('Your password').fill(user.password)
  await confirm.getByRole('button', { name: 'Confirm' }).click()
  const done = page.getByRole('dialog', { name: 'Refund requested' })
  await done.getByText(`${shown} will be refunded to your original payment method.`).waitFor()
  // The purchases behind it are loaded again, and the button that opened it is gone.
  const opener = page.locator('button', { hasText: 'Get a refund (withdraw from contract)' })
  await expect.poll(() => opener.count()).toBe(0)
  await done.locator('.dialog-actions').getByRole('button', { name: 'Close' }).click()
  await page.locator('main:focus').waitFor()

  await expect.poll(() => refundsOf(user)).toEqual([{ amount, state: 'final' }])
  await page.reload()
  await page.getByText(new RegExp(`A refund of ${shown} was requested on .+ Sent on `)).waitFor()
  await page.locator('dd', { hasText: 'Ended' }).first().waitFor()
  await page.getByRole('cell', { name: 'Refunded', exact: true }).waitFor()
  await page.goto('/dashboard')
  await page.getByText(`We refunded ${shown} for ${MAIN_PLAN.name} on `).waitFor()
})
