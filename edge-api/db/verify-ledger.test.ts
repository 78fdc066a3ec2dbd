import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@libsql/client/http'
import { expect, onTestFinished, test } from 'vitest'
import { emptyFixture } from '#harness/fixture/empty-fixture.ts'
import { openUnpaidPurchase, paymentFor, providerId, refundOf } from '#harness/fixture/purchase.ts'
import { PLAN_IN_INR, use } from '#harness/fixture/refund.ts'
import { taxed } from '#harness/fixture/taxed.ts'
import { databaseUrl } from '#harness/fixture/fixture.ts'
import { CHECK_COUNT, failedChecks } from '../../tools/ops/verify-ledger.ts'
import { factsOf } from '../domain/ports/payments.ts'
import { settle } from '../domain/purchase/settle.ts'

/** A plan of ₹2,999.00 with GST of which half was refunded, after 100,000 of its tokens were used. */
async function openShop() {
  const fixture = await emptyFixture()
  const { purchase, claims } = await openUnpaidPurchase(PLAN_IN_INR, fixture)
  const payment = paymentFor(purchase)
  const report = (facts: Parameters<typeof factsOf>[0]) =>
    settle(taxed(fixture.ctx()), purchase, factsOf(facts))
  await report({ payments: [payment] })
  await use(fixture, claims, 100_000)
  fixture.advance(1_000)
  const refund = refundOf(payment, { amountMinor: 149_950 })
  await report({ refunds: [refund] })
  return {
    ...{ purchase, payment, refund },
    check: () => failedChecks(fixture.ctx()),
    change: async (statement: string) => {
      const client = createClient({ url: databaseUrl() })
      await client.executeMultiple(`PRAGMA foreign_keys = OFF; ${statement}`)
      client.close()
    },
  }
}

type Shop = Awaited<ReturnType<typeof openShop>>

/** For each check, a change past the code that it finds, and what it says of the row. */
const CHANGES: [check: string, change: (shop: Shop) => string, finding: (shop: Shop) => string][] =
  [
    [
      'settling a purchase again changes nothing',
      () => "UPDATE purchases SET status = 'refunded'",
      ({ purchase }) => `purchase ${purchase.id}: it is refunded; its money says paid`,
    ],
    [
      'settling a purchase again changes nothing',
      () => 'UPDATE payments SET amount_refunded_minor = 299900',
      ({ purchase }) =>
        `purchase ${purchase.id}: 500,000 of its tokens were reversed, and 900,000 are due`,
    ],
    [
      'settling a purchase again changes nothing',
      ({ purchase, payment }) => `INSERT INTO payments
        (id, purchase_id, razorpay_order_id, amount_minor, currency, rank, began_at, method, created_at, updated_at)
      SELECT 'pay_extra', purchase_id, razorpay_order_id, amount_minor, currency, rank, began_at, method, created_at,
        updated_at FROM payments WHERE id = '${payment.paymentId}' AND purchase_id = '${purchase.id}'`,
      ({ purchase }) =>
        `purchase ${purchase.id}: the refund of INR 2999.00 of pay_extra (excess) is to be sent`,
    ],
    [
      'a grant is of what was sold, and is in the ledger once',
      () => 'UPDATE grants SET tokens = 2000000',
      ({ purchase }) =>
        `purchase ${purchase.id} sold 1,000,000 tokens to ${purchase.userId}, granted 2,000,000 to ${purchase.userId}, and the ledger has 1,000,000`,
    ],
    [
      'a balance is the sum of its ledger entries, and of what is left of its lots',
      () => 'UPDATE balances SET total = total + 5000000',
      ({ purchase }) =>
        `account ${purchase.userId} (emulator) has 5,400,000 tokens left; its entries say 400,000, its lots 400,000`,
    ],
    [
      'bought tokens have captured money of the same sale behind them',
      () => 'UPDATE payments SET rank = 2',
      ({ purchase, payment }) =>
        `purchase ${purchase.id} of ₹2,999.00 gave 1,000,000 tokens; its payment ${payment.paymentId} is not captured`,
    ],
    [
      'the tax of receipts and credit notes is the tax of their money',
      ({ purchase }) => `INSERT INTO credit_notes
      SELECT '${providerId('rfnd')}', 0, purchase_id, series, 2, supply, 100, 50, 50, 0, issued_at FROM credit_notes
      WHERE purchase_id = '${purchase.id}'`,
      ({ purchase }) =>
        `purchase ${purchase.id}: its credit notes of INR 1500.50 take back INR 114.87 CGST, INR 114.87 SGST, INR 0.00 IGST`,
    ],
    [
      'receipts and credit notes are numbered 1, 2, 3 … in the order of their time',
      () => `INSERT INTO credit_notes
      SELECT 'rfnd_x', 0, purchase_id, series, 3, supply, 0, 0, 0, 0, issued_at FROM credit_notes`,
      () => 'credit note 26-27: 3 of 2026-11-18 follows number 1 of 2026-11-18',
    ],
    [
      'each credit note is of a refund of its purchase',
      ({ refund }) => `UPDATE refunds_and_disputes SET state = 'open' WHERE id = '${refund.id}'`,
      ({ purchase, refund }) =>
        `purchase ${purchase.id}: credit note 1 of ₹1,499.50 is for refund ${refund.id} of ₹1,499.50, open`,
    ],
    [
      'what admins gave is in their log',
      ({ purchase }) => `INSERT INTO ledger (ref, user_id, kind, tokens, payment_mode, created_at)
      VALUES ('adjustment:act_none', '${purchase.userId}', 'adjustment', 900000, 'emulator', 1)`,
      ({ purchase }) =>
        `account ${purchase.userId} has 900,000 tokens by hand (adjustment:act_none)`,
    ],
    [
      'the sums of usage are those of the entries and sessions',
      () => 'UPDATE usage_days SET tokens = tokens + 1',
      ({ purchase }) =>
        `account ${purchase.userId} (emulator) on 2026-11-18 () differs by 1 tokens`,
    ],
    [
      'the file is whole, and no row names one that is missing',
      () => 'DELETE FROM grants',
      () => 'row 1 of receipts names a row of grants that is missing',
    ],
    [
      'the triggers are those of the schema',
      () => 'DROP TRIGGER usage_sessions_ended',
      () => 'the trigger usage_sessions_ended is missing',
    ],
    [
      'what is owed back is no more than was paid, and a request no more than the price of its tokens',
      ({
        purchase,
        payment,
      }) => `INSERT INTO owed_refunds (payment_id, number, purchase_id, reason, amount_minor, tokens, created_at)
      VALUES ('${payment.paymentId}', 1, '${purchase.id}', 'asked_for', 100000, 10, 1)`,
      ({ purchase }) =>
        `purchase ${purchase.id}: ₹1,000.00 was asked back for 10 tokens of 1,000,000`,
    ],
  ]

test('each check has a change that it finds', () => {
  expect(new Set(CHANGES.map(([check]) => check)).size).toBe(CHECK_COUNT)
})

test.each(CHANGES)('%s', async (check, change, finding) => {
  const shop = await openShop()
  expect(await shop.check()).toEqual([])
  // The tests of a file share their schema.
  const triggers = readFileSync(join(import.meta.dirname, 'schema/triggers.sql'), 'utf8')
  onTestFinished(() => shop.change(triggers.replaceAll('CREATE TRIGGER', '$& IF NOT EXISTS')))
  await shop.change(change(shop))
  const lines = await shop.check()
  expect(lines.join('\n')).toContain(finding(shop))
  const [name, ...rest] = lines.slice(lines.indexOf(`Broken: ${check}.`))
  expect(name).toBe(`Broken: ${check}.`)
  expect(rest.join()).toContain('What to do: ')
})
