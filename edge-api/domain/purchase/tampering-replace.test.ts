import { sql, type SQL } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openTampering, type Tampering } from '../../../tests/harness/world/purchase.ts'

// REPLACE deletes conflicting rows without running their DELETE triggers.

const PURCHASE =
  sql.raw(`(id, user_id, sku, kind, tokens, access_days, amount_minor, currency, payment_mode,
  channel, idempotency_key, created_at, updated_at, razorpay_order_id)`)

const rest = sql.raw(`0, 100, 'USD', 'emulator', 'checkout'`)

const refused: [string, (tampering: Tampering) => SQL, string][] = [
  [
    'a purchase',
    ({ unpaid }) => sql`
      INSERT OR REPLACE INTO purchases ${PURCHASE}
      VALUES (${unpaid.id}, ${unpaid.userId}, 'token_pack', 'token_pack', 9000000, ${rest},
        ${unpaid.idempotencyKey}, 1, 1, ${unpaid.razorpayOrderId})`,
    'a purchase is opened once',
  ],
  [
    'a purchase by its order',
    ({ unpaid, stranger }) => sql`
      INSERT OR REPLACE INTO purchases ${PURCHASE}
      VALUES (${`${unpaid.id}x`}, ${stranger.userId}, 'token_pack', 'token_pack', 1000000, ${rest},
        'key', 1, 1, ${unpaid.razorpayOrderId})`,
    'an order belongs to one purchase',
  ],
  [
    'a payment',
    ({ payment, purchase }) => sql`
      INSERT OR REPLACE INTO payments (id, purchase_id, razorpay_order_id, amount_minor, currency,
        rank, created_at, updated_at)
      VALUES (${payment.paymentId}, ${purchase.id}, ${payment.razorpayOrderId}, 100, 'USD', 0, 1, 1)`,
    'a payment only moves forward',
  ],
  [
    'a payment that is owed back',
    ({ extra, unpaid }) => sql`
      INSERT OR REPLACE INTO payments (id, purchase_id, razorpay_order_id, amount_minor, currency,
        rank, created_at, updated_at)
      VALUES (${extra.paymentId}, ${unpaid.id}, ${unpaid.razorpayOrderId}, 2500, 'USD', 3, 1, 1)`,
    'a payment only moves forward',
  ],
  [
    'a grant',
    ({ purchase, extra }) => sql`
      INSERT OR REPLACE INTO grants VALUES (${purchase.id}, ${extra.paymentId}, ${purchase.userId},
        1000000, 'emulator', 1)`,
    'a purchase is granted once',
  ],
  [
    'a receipt',
    ({ purchase }) => sql`
      INSERT OR REPLACE INTO receipts (purchase_id, number, buyer_name, buyer_email, issued_at)
      SELECT ${purchase.id}, max(number) + 1, 'x', 'x', 1 FROM receipts`,
    'a receipt is issued once',
  ],
  [
    'what is owed',
    ({ extra, purchase }) => sql`
      INSERT OR REPLACE INTO owed_refunds (payment_id, purchase_id, reason, amount_minor, created_at)
      VALUES (${extra.paymentId}, ${purchase.id}, 'mismatch', 2500, 1)`,
    'what is owed cannot be changed',
  ],
  [
    'a reversal',
    ({ purchase }) => sql`
      INSERT OR REPLACE INTO ledger (ref, user_id, kind, tokens, purchase_id, payment_mode, created_at)
      SELECT ref, user_id, kind, -1, purchase_id, payment_mode, 1 FROM ledger
      WHERE purchase_id = ${purchase.id} AND kind = 'reversal'`,
    'a ledger entry is written once',
  ],
]

test.each(refused)('the database refuses to replace %s', async (_what, statementOf, reason) => {
  const tampering = await openTampering()
  const before = await tampering.outcome()
  await expect(tampering.attempt(statementOf(tampering))).rejects.toThrow(reason)
  expect(await tampering.outcome()).toEqual(before)
})

/** Inserts that the code repeats on purpose, with ON CONFLICT DO NOTHING. */
const ignored: [string, (tampering: Tampering) => SQL][] = [
  [
    'a grant entry',
    ({ purchase }) => sql`
      INSERT OR REPLACE INTO ledger SELECT * FROM ledger
      WHERE purchase_id = ${purchase.id} AND kind = 'grant'`,
  ],
  [
    'a use',
    ({ purchase }) => sql`
      INSERT OR REPLACE INTO ledger (ref, user_id, kind, tokens, payment_mode, created_at)
      SELECT ref, user_id, kind, -1, payment_mode, 1 FROM ledger
      WHERE user_id = ${purchase.userId} AND kind = 'use'`,
  ],
  [
    'a purchase by its key',
    ({ unpaid }) => sql`
      INSERT OR REPLACE INTO purchases ${PURCHASE}
      VALUES (${`${unpaid.id}x`}, ${unpaid.userId}, 'token_pack', 'token_pack', 9000000, ${rest},
        ${unpaid.idempotencyKey}, 1, 1, 'order_EMUreplaced00')`,
  ],
]

test.each(ignored)('replacing %s changes nothing', async (_what, statementOf) => {
  const tampering = await openTampering()
  const { purchase } = tampering
  await tampering.attempt(sql`
    INSERT INTO ledger (ref, user_id, kind, tokens, payment_mode, created_at)
    VALUES (${`use:${purchase.userId}:k`}, ${purchase.userId}, 'use', -700, 'emulator', 1)`)
  const before = await tampering.outcome()
  expect(before.paid).toMatchObject({ total: 800_000, used: 700, ledgerSum: 799_300 })
  await tampering.attempt(statementOf(tampering))
  expect(await tampering.outcome()).toEqual(before)
})
