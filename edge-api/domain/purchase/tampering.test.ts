import { sql, type SQL } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openTampering, type Tampering } from '../../../tests/harness/world/purchase.ts'

const tamperings: [string, (tampering: Tampering) => SQL | SQL[], string][] = [
  [
    'the price of a purchase',
    ({ purchase }) => sql`UPDATE purchases SET amount_minor = 100 WHERE id = ${purchase.id}`,
    'a purchase cannot be changed',
  ],
  [
    'the owner of a purchase',
    ({ purchase, stranger }) =>
      sql`UPDATE purchases SET user_id = ${stranger.userId} WHERE id = ${purchase.id}`,
    'a purchase cannot be changed',
  ],
  [
    'the tokens of a purchase',
    ({ unpaid }) => sql`UPDATE purchases SET tokens = 9000000 WHERE id = ${unpaid.id}`,
    'a purchase cannot be changed',
  ],
  [
    'the payment mode of a purchase',
    ({ purchase }) => sql`UPDATE purchases SET payment_mode = 'live' WHERE id = ${purchase.id}`,
    'a purchase cannot be changed',
  ],
  [
    'the order of a purchase',
    ({ purchase }) =>
      sql`UPDATE purchases SET razorpay_order_id = 'order_EMUother000000' WHERE id = ${purchase.id}`,
    'a purchase cannot be changed',
  ],
  [
    'a purchase away',
    ({ unpaid }) => sql`DELETE FROM purchases WHERE id = ${unpaid.id}`,
    'a purchase cannot be deleted',
  ],
  [
    'an unpaid purchase to paid',
    ({ unpaid }) => sql`UPDATE purchases SET status = 'paid' WHERE id = ${unpaid.id}`,
    'a paid purchase needs its grant',
  ],
  [
    'a grant for an unpaid purchase',
    ({ unpaid, extra }) => sql`
      INSERT INTO grants VALUES (${unpaid.id}, ${extra.paymentId}, ${unpaid.userId},
        1000000, 'emulator', 1)`,
    'a grant needs a matching captured payment',
  ],
  [
    'a grant for money that is owed back',
    ({ purchase, extra }) => sql`
      INSERT INTO grants VALUES (${purchase.id}, ${extra.paymentId}, ${purchase.userId},
        1000000, 'emulator', 1)`,
    'money that is owed back grants nothing',
  ],
  [
    'a grant to somebody else',
    ({ unpaid, stranger }) => [
      sql`
        INSERT INTO payments (id, purchase_id, razorpay_order_id, amount_minor, currency, rank,
          created_at, updated_at)
        VALUES ('pay_EMUunsettled00', ${unpaid.id}, ${unpaid.razorpayOrderId},
          ${unpaid.amountMinor}, ${unpaid.currency}, 3, 1, 1)`,
      sql`
        INSERT INTO grants VALUES (${unpaid.id}, 'pay_EMUunsettled00', ${stranger.userId},
          1000000, 'emulator', 1)`,
    ],
    'a grant needs a matching captured payment',
  ],
  [
    'the tokens of a grant',
    ({ purchase }) => sql`UPDATE grants SET tokens = 2 WHERE purchase_id = ${purchase.id}`,
    'a grant cannot be changed',
  ],
  [
    'a ledger entry',
    ({ purchase }) => sql`UPDATE ledger SET tokens = 2 WHERE purchase_id = ${purchase.id}`,
    'the ledger is append-only',
  ],
  [
    'a ledger entry away',
    ({ purchase }) => sql`DELETE FROM ledger WHERE purchase_id = ${purchase.id}`,
    'the ledger is append-only',
  ],
  [
    'a grant entry without a grant',
    ({ unpaid }) => sql`
      INSERT INTO ledger (ref, user_id, kind, tokens, purchase_id, payment_mode, created_at)
      VALUES ('grant:' || ${unpaid.id}, ${unpaid.userId}, 'grant', 1000000, ${unpaid.id}, 'emulator', 1)`,
    'a grant entry needs its grant',
  ],
  [
    'a restoration of what was never taken',
    ({ purchase }) => sql`
      INSERT INTO ledger (ref, user_id, kind, tokens, purchase_id, payment_mode, created_at)
      VALUES ('restoration:x:' || ${purchase.id}, ${purchase.userId}, 'restoration', 500000,
        ${purchase.id}, 'emulator', 1)`,
    'more cannot be reversed than was granted',
  ],
  [
    'a reversal of more than was granted',
    ({ purchase }) => sql`
      INSERT INTO ledger (ref, user_id, kind, tokens, purchase_id, payment_mode, created_at)
      VALUES ('reversal:x:' || ${purchase.id}, ${purchase.userId}, 'reversal', -900000,
        ${purchase.id}, 'emulator', 1)`,
    'more cannot be reversed than was granted',
  ],
  [
    'more use than is left',
    ({ purchase }) => sql`
      INSERT INTO ledger (ref, user_id, kind, tokens, payment_mode, created_at)
      VALUES ('use:x:' || ${purchase.id}, ${purchase.userId}, 'use', -900000, 'emulator', 1)`,
    'insufficient tokens',
  ],
  [
    'used beyond total by hand',
    ({ purchase }) => sql`UPDATE balances SET used = total + 1 WHERE user_id = ${purchase.userId}`,
    'CHECK constraint failed: balances_used',
  ],
  [
    'a payment backwards',
    ({ payment }) => sql`UPDATE payments SET rank = 1 WHERE id = ${payment.paymentId}`,
    'a payment only moves forward',
  ],
  [
    'the amount of a payment',
    ({ payment }) => sql`UPDATE payments SET amount_minor = 1 WHERE id = ${payment.paymentId}`,
    'a payment only moves forward',
  ],
  [
    'a refund backwards',
    ({ refund }) => sql`UPDATE refunds_and_disputes SET state = 'open' WHERE id = ${refund.id}`,
    'a refund or dispute only moves forward',
  ],
  [
    'a refund away',
    ({ refund }) => sql`DELETE FROM refunds_and_disputes WHERE id = ${refund.id}`,
    'a refund or dispute cannot be deleted',
  ],
  [
    'what is owed',
    ({ extra }) =>
      sql`UPDATE owed_refunds SET amount_minor = 1 WHERE payment_id = ${extra.paymentId}`,
    'what is owed cannot be changed',
  ],
  [
    'what is owed away',
    ({ extra }) => sql`DELETE FROM owed_refunds WHERE payment_id = ${extra.paymentId}`,
    'what is owed cannot be deleted',
  ],
  [
    'a debt for money that was granted',
    ({ payment, purchase }) => sql`
      INSERT INTO owed_refunds (payment_id, purchase_id, reason, amount_minor, created_at)
      VALUES (${payment.paymentId}, ${purchase.id}, 'excess', 2500, 1)`,
    'only extra captured money is owed back',
  ],
  [
    'the tokens of a refund that is owed',
    ({ extra }) => sql`UPDATE owed_refunds SET tokens = 5 WHERE payment_id = ${extra.paymentId}`,
    'what is owed cannot be changed',
  ],
  ...[
    ['a refund of more than was paid', 2_501, 800_000],
    ['a refund of what went back already', 2_001, 800_000],
    ['a refund of more tokens than the user has', 2_000, 800_001],
    ['a refund of no tokens', 2_000, 0],
    ['a refund of nothing', 0, 800_000],
  ].map(([what, amount, tokens]): (typeof tamperings)[number] => [
    String(what),
    ({ payment, purchase }) => sql`
      INSERT INTO owed_refunds (payment_id, purchase_id, reason, amount_minor, tokens,
        refunded_before_minor, created_at)
      VALUES (${payment.paymentId}, ${purchase.id}, 'asked_for', ${amount}, ${tokens}, 500, 1)`,
    'only what is unused is asked back',
  ]),
  [
    'a gift of more than was paid',
    ({ payment, purchase }) => sql`
      INSERT INTO owed_refunds (payment_id, number, purchase_id, reason, amount_minor,
        refunded_before_minor, created_at)
      VALUES (${payment.paymentId}, 1, ${purchase.id}, 'goodwill', 2001, 500, 1)`,
    'no more is given back than was paid',
  ],
  [
    'a gift of money without a grant',
    ({ extra, purchase }) => sql`
      INSERT INTO owed_refunds (payment_id, number, purchase_id, reason, amount_minor, created_at)
      VALUES (${extra.paymentId}, 1, ${purchase.id}, 'goodwill', 100, 1)`,
    'no more is given back than was paid',
  ],
  [
    'a refund that was asked of money without a grant',
    ({ unpaid }) => [
      sql`
        INSERT INTO payments (id, purchase_id, razorpay_order_id, amount_minor, currency, rank,
          created_at, updated_at)
        VALUES ('pay_EMUunsettled00', ${unpaid.id}, ${unpaid.razorpayOrderId},
          ${unpaid.amountMinor}, ${unpaid.currency}, 3, 1, 1)`,
      sql`
        INSERT INTO owed_refunds (payment_id, purchase_id, reason, amount_minor, tokens, created_at)
        VALUES ('pay_EMUunsettled00', ${unpaid.id}, 'asked_for', 2000, 800000, 1)`,
    ],
    'only what is unused is asked back',
  ],
  [
    'the number of a receipt',
    ({ purchase }) => sql`UPDATE receipts SET number = 7 WHERE purchase_id = ${purchase.id}`,
    'a receipt cannot be changed',
  ],
  [
    'a receipt away',
    ({ purchase }) => sql`DELETE FROM receipts WHERE purchase_id = ${purchase.id}`,
    'a receipt cannot be deleted',
  ],
]

test.each(tamperings)('the database refuses to change %s', async (_what, statementOf, reason) => {
  const tampering = await openTampering()
  const before = await tampering.outcome()
  await expect(tampering.attempt(...[statementOf(tampering)].flat())).rejects.toThrow(reason)
  expect(await tampering.outcome()).toEqual(before)
})

test('a receipt cannot skip a number', async () => {
  const { purchase, unpaid, attempt, report } = await openTampering()
  await report({})
  await expect(
    attempt(sql`
      INSERT INTO receipts (purchase_id, number, buyer_name, buyer_email, seller_name, seller_email,
        line, issued_at)
      VALUES (${unpaid.id}, 999999, 'x', 'x', 'x', 'x', 'x', 1)`),
  ).rejects.toThrow('receipts are numbered without gaps')
  expect(purchase.id).not.toBe(unpaid.id)
})
