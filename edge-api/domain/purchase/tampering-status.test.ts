import { sql, type SQL } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openTampering, type Tampering } from '../../../tests/harness/world/purchase.ts'

const tamperings: [string, (tampering: Tampering) => SQL, string][] = [
  ...['creating', 'open', 'attempted', 'authorized', 'expired'].map(
    (status): [string, (tampering: Tampering) => SQL, string] => [
      `a paid purchase to ${status}`,
      ({ purchase }) => sql`UPDATE purchases SET status = ${status} WHERE id = ${purchase.id}`,
      'captured money is not forgotten',
    ],
  ),
  [
    'a granted purchase to review',
    ({ purchase }) => sql`UPDATE purchases SET status = 'review' WHERE id = ${purchase.id}`,
    'a review needs captured money that granted nothing',
  ],
  [
    'an unpaid purchase to review',
    ({ unpaid }) => sql`UPDATE purchases SET status = 'review' WHERE id = ${unpaid.id}`,
    'a review needs captured money that granted nothing',
  ],
  [
    'an unpaid purchase to refunded',
    ({ unpaid }) => sql`UPDATE purchases SET status = 'refunded' WHERE id = ${unpaid.id}`,
    'a refunded purchase needs money that went back',
  ],
  [
    'an unpaid purchase to authorized',
    ({ unpaid }) => sql`UPDATE purchases SET status = 'authorized' WHERE id = ${unpaid.id}`,
    'an authorized purchase needs its payment',
  ],
  [
    'when an unpaid purchase was paid',
    ({ unpaid }) => sql`UPDATE purchases SET paid_at = 1 WHERE id = ${unpaid.id}`,
    'a purchase is paid when it is granted',
  ],
  [
    'when a paid purchase was paid',
    ({ purchase }) => sql`UPDATE purchases SET paid_at = paid_at + 1 WHERE id = ${purchase.id}`,
    'a purchase is paid when it is granted',
  ],
  [
    'a paid purchase to never paid',
    ({ purchase }) => sql`UPDATE purchases SET paid_at = NULL WHERE id = ${purchase.id}`,
    'a purchase is paid when it is granted',
  ],
  [
    "a link's order to another purchase's order",
    ({ purchase, unpaid }) => sql`
      UPDATE purchases SET razorpay_link_order_id = ${purchase.razorpayOrderId}
      WHERE id = ${unpaid.id}`,
    'an order belongs to one purchase',
  ],
  [
    'the tokens of a payment to half of one',
    ({ payment }) => sql`
      UPDATE payments SET amount_refunded_minor = 600.5 WHERE id = ${payment.paymentId}`,
    'amounts are whole numbers',
  ],
  [
    'the rank of a payment to half of one',
    ({ purchase }) => sql`
      INSERT INTO payments (id, purchase_id, razorpay_order_id, amount_minor, currency, rank,
        created_at, updated_at)
      VALUES ('pay_EMUhalfarank00', ${purchase.id}, ${purchase.razorpayOrderId}, 2500, 'USD', 2.5,
        1, 1)`,
    'amounts are whole numbers',
  ],
  [
    'a refund to a broken amount',
    ({ refund }) =>
      sql`UPDATE refunds_and_disputes SET amount_minor = 500.5 WHERE id = ${refund.id}`,
    'amounts are whole numbers',
  ],
  [
    'a payment to one of a broken amount',
    ({ purchase }) => sql`
      INSERT INTO payments (id, purchase_id, razorpay_order_id, amount_minor, currency, rank,
        created_at, updated_at)
      VALUES ('pay_EMUbroken00000', ${purchase.id}, ${purchase.razorpayOrderId}, 100.5, 'USD', 0,
        1, 1)`,
    'amounts are whole numbers',
  ],
  [
    'refunds by one of a broken amount',
    ({ payment }) => sql`
      INSERT INTO refunds_and_disputes (id, kind, payment_id, amount_minor, currency, state, began_at,
        as_of, created_at, updated_at)
      VALUES ('rfnd_EMUbroken0000', 'refund', ${payment.paymentId}, 0.5, 'USD', 'open', 1, 1, 1, 1)`,
    'amounts are whole numbers',
  ],
  ...[
    ['tokens', sql`'abc'`, sql`2500`],
    ['amount', sql`1000`, sql`100.5`],
  ].map(([what, tokens, amount]): [string, (tampering: Tampering) => SQL, string] => [
    `what is sold by a broken ${String(what)}`,
    ({ stranger }) => sql`
      INSERT INTO purchases (id, user_id, sku, kind, tokens, access_days, amount_minor, currency,
        payment_mode, channel, created_at, updated_at)
      VALUES ('broken', ${stranger.userId}, 'token_pack', 'token_pack', ${tokens}, 0, ${amount},
        'USD', 'emulator', 'checkout', 1, 1)`,
    'tokens and amounts are whole numbers',
  ]),
]

test.each(tamperings)('the database refuses to change %s', async (_what, statementOf, reason) => {
  const tampering = await openTampering()
  const before = await tampering.outcome()
  await expect(tampering.attempt(statementOf(tampering))).rejects.toThrow(reason)
  expect(await tampering.outcome()).toEqual(before)
})
