import { sql, type SQL } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  enter,
  give,
  openGuards,
  storeGrant,
  storePayment,
  type Trial,
} from '../../../tests/harness/world/guards.ts'
import { createPurchase, paymentFor, refundOf } from '../../../tests/harness/world/purchase.ts'
import { factsOf } from '../ports/payments.ts'
import type { Purchase } from './find-purchase.ts'
import { settle } from './settle.ts'

const setPurchase = ({ id }: Purchase, change: SQL) =>
  sql`UPDATE purchases SET ${change} WHERE id = ${id}`

function insertPurchase(
  userId: string,
  given: { status?: string; paidAt?: number; days?: number },
) {
  const { status = 'creating', paidAt = null, days = 0 } = given
  return sql`
    INSERT INTO purchases (id, user_id, sku, kind, tokens, access_days, amount_minor, currency,
      payment_mode, channel, status, paid_at, created_at, updated_at)
    VALUES ('pur_tried', ${userId}, 'token_pack', 'token_pack', 1000, ${days}, 2500, 'USD',
      'emulator', 'checkout', ${status}, ${paidAt}, 1, 1)`
}

test('a purchase begins unpaid, and is sold for whole days', async () => {
  const { stranger, tryAll } = await openGuards()
  const { userId } = stranger
  const begun = (status: string): Trial => [
    `a purchase that begins as ${status}`,
    [insertPurchase(userId, { status })],
    'a purchase begins unpaid',
  ]
  await tryAll([
    ...['paid', 'refunded', 'review'].map(begun),
    [
      'a purchase that was paid before it began',
      [insertPurchase(userId, { paidAt: 1 })],
      'a purchase begins unpaid',
    ],
    [
      'a part of a day',
      [insertPurchase(userId, { days: 0.5 })],
      'tokens and amounts are whole numbers',
    ],
    ['a purchase that is unpaid', [insertPurchase(userId, {})], null],
  ])
})

test('an id of Razorpay comes to a purchase once, and to no second one', async () => {
  const { world, claims, purchase, unpaid, tryAll } = await openGuards()
  const fresh = await createPurchase(world.ctx(), claims.userId, { razorpayOrderId: null })
  const bind = (to: Purchase, column: string, id: string | null) =>
    setPurchase(to, sql`${sql.identifier(column)} = ${id}`)
  const refusal = 'an order belongs to one purchase'
  await tryAll([
    ['an order', [bind(fresh, 'razorpay_order_id', 'order_1')], null],
    [
      "an order that is another purchase's",
      [bind(fresh, 'razorpay_order_id', purchase.razorpayOrderId)],
      refusal,
    ],
    [
      "an order that is that of another purchase's link",
      [
        bind(unpaid, 'razorpay_link_order_id', 'order_1'),
        bind(fresh, 'razorpay_order_id', 'order_1'),
      ],
      refusal,
    ],
    [
      "an order of a link that is another purchase's order",
      [bind(fresh, 'razorpay_link_order_id', purchase.razorpayOrderId)],
      refusal,
    ],
    [
      "a link that is another purchase's",
      [bind(unpaid, 'razorpay_link_id', 'plink_1'), bind(fresh, 'razorpay_link_id', 'plink_1')],
      refusal,
    ],
    [
      'an order beside a link, and a check later',
      [
        bind(unpaid, 'razorpay_link_order_id', 'order_1'),
        setPurchase(unpaid, sql`next_check_at = 1`),
      ],
      null,
    ],
  ])
})

test('what a purchase says of its money needs a payment that says so', async () => {
  const { purchase, unpaid, tryAll } = await openGuards()
  const turn = (status: string) => setPurchase(unpaid, sql`status = ${status}`)
  const goesBack = (state: string) => sql`
    INSERT INTO refunds_and_disputes (id, kind, payment_id, amount_minor, currency, state, began_at,
      as_of, created_at, updated_at)
    VALUES ('rfnd_tried', 'refund', 'pay_EMUtried000000', 500, 'USD', ${state}, 1, 1, 1, 1)`
  const inReview = 'a review needs captured money that granted nothing'
  const wentBack = 'a refunded purchase needs money that went back'
  const [captured, authorized] = [storePayment(unpaid), storePayment(unpaid, { rank: 2 })]
  await tryAll([
    ['that nobody paid, to open', [turn('open')], null],
    ['that failed, to attempted', [storePayment(unpaid, { rank: 1 }), turn('attempted')], null],
    ['that was captured, to review', [captured, turn('review')], null],
    ['that was authorized, to review', [authorized, turn('review')], inReview],
    [
      'that was authorized, to refunded',
      [storePayment(unpaid, { rank: 2, refunded: 500 }), turn('refunded')],
      wentBack,
    ],
    ['that was captured, to refunded', [captured, turn('refunded')], wentBack],
    [
      'of which the least was captured, to refunded',
      [storePayment(unpaid, { amount: 1 }), turn('refunded')],
      wentBack,
    ],
    [
      'of which nothing was captured, to refunded',
      [storePayment(unpaid, { amount: 0 }), turn('refunded')],
      null,
    ],
    [
      'of which the least went back, to refunded',
      [storePayment(unpaid, { refunded: 1 }), turn('refunded')],
      null,
    ],
    ['of which a refund goes back', [captured, goesBack('open'), turn('refunded')], null],
    ['of which a refund went back', [captured, goesBack('final'), turn('refunded')], null],
    ['of which a refund failed', [captured, goesBack('undone'), turn('refunded')], wentBack],
    ['that is authorized, to authorized', [authorized, turn('authorized')], null],
    [
      'that failed, to authorized',
      [storePayment(unpaid, { rank: 1 }), turn('authorized')],
      'an authorized purchase needs its payment',
    ],
    [
      'that nobody paid while another one is authorized, to authorized',
      [storePayment(purchase, { rank: 2 }), turn('authorized')],
      'an authorized purchase needs its payment',
    ],
    [
      'when it was paid, to when another one was',
      [setPurchase(unpaid, sql`paid_at = (SELECT granted_at FROM grants)`)],
      'a purchase is paid when it is granted',
    ],
    ['when it was paid, to never', [setPurchase(unpaid, sql`paid_at = NULL`)], null],
  ])
})

test('a payment and a refund only move forward', async () => {
  const { unpaid, payment, refund, tryAll } = await openGuards()
  const set = (change: SQL) => sql`UPDATE payments SET ${change} WHERE id = ${payment.paymentId}`
  const setRefund = (change: SQL) =>
    sql`UPDATE refunds_and_disputes SET ${change} WHERE id = ${refund.id}`
  const store = (kind: string, state: string) => sql`
    INSERT INTO refunds_and_disputes (id, kind, payment_id, amount_minor, currency, state, began_at,
      as_of, created_at, updated_at)
    VALUES ('tried', ${kind}, ${payment.paymentId}, 500, 'USD', ${state}, 1, 5, 1, 1)`
  const move = (change: SQL) => sql`UPDATE refunds_and_disputes SET ${change} WHERE id = 'tried'`
  const [backwards, broken] = ['a payment only moves forward', 'amounts are whole numbers']
  const refusal = 'a refund or dispute only moves forward'
  await tryAll([
    ['the mark on a payment', [set(sql`conflict_at = 1`)], null],
    [
      'less that went back',
      [set(sql`amount_refunded_minor = 500`), set(sql`amount_refunded_minor = 499`)],
      backwards,
    ],
    [
      'a payment away',
      [sql`DELETE FROM payments WHERE id = ${payment.paymentId}`],
      'a payment cannot be deleted',
    ],
    ['a part of a cent that went back', [storePayment(unpaid, { refunded: 0.5 })], broken],
    [
      'half a rank',
      [storePayment(unpaid, { rank: 2 }), sql`UPDATE payments SET rank = 2.5 WHERE rank = 2`],
      broken,
    ],
    ['an older report', [setRefund(sql`as_of = as_of - 1`)], refusal],
    ['another report of the same instant', [setRefund(sql`as_of = as_of`)], null],
    ['less of a refund', [setRefund(sql`amount_minor = 499`)], refusal],
    ['more of a refund', [setRefund(sql`amount_minor = 501`)], null],
    ['a refund that ended, to failed', [setRefund(sql`state = 'undone'`)], null],
    [
      'a refund that failed, to ended',
      [store('refund', 'undone'), move(sql`state = 'final'`)],
      refusal,
    ],
    ['a refund that failed, once more', [store('refund', 'undone'), move(sql`phase = 'x'`)], null],
    [
      'a refund that is open, to ended',
      [store('refund', 'open'), move(sql`state = 'final'`)],
      null,
    ],
    ['a refund that is open, to open', [store('refund', 'open'), move(sql`state = 'open'`)], null],
    ['less of a dispute', [store('dispute', 'open'), move(sql`amount_minor = 1`)], null],
    ['a dispute that was won', [store('dispute', 'undone'), move(sql`state = 'open'`)], null],
    ['a dispute that was lost', [store('dispute', 'final'), move(sql`state = 'open'`)], null],
  ])
})

test('a grant needs a captured payment of its own purchase that matches it', async () => {
  const { world, claims, purchase, unpaid, tryAll } = await openGuards()
  const other = await createPurchase(world.ctx(), claims.userId)
  const captured = storePayment(unpaid)
  const refusal = 'a grant needs a matching captured payment'
  await tryAll([
    ['its own', [captured, storeGrant(unpaid)], null],
    [
      "its link's",
      [
        setPurchase(unpaid, sql`razorpay_link_order_id = 'order_1'`),
        storePayment(unpaid, { order: 'order_1' }),
        storeGrant(unpaid),
      ],
      null,
    ],
    [
      "another purchase's, on its order",
      [storePayment(purchase, { order: unpaid.razorpayOrderId }), storeGrant(unpaid)],
      refusal,
    ],
    ["another purchase's", [captured, storeGrant(unpaid, { purchase: other.id })], refusal],
    [
      'one that failed beside one that was captured',
      [
        captured,
        storePayment(unpaid, { id: 'pay_EMUfailed00000', rank: 1 }),
        storeGrant(unpaid, { payment: 'pay_EMUfailed00000' }),
      ],
      refusal,
    ],
    ['an authorized one', [storePayment(unpaid, { rank: 2 }), storeGrant(unpaid)], refusal],
    ['another amount', [storePayment(unpaid, { amount: 2_499 }), storeGrant(unpaid)], refusal],
    ['another currency', [storePayment(unpaid, { currency: 'INR' }), storeGrant(unpaid)], refusal],
    ['another order', [storePayment(unpaid, { order: 'order_1' }), storeGrant(unpaid)], refusal],
    ['other tokens', [captured, storeGrant(unpaid, { tokens: 9_000_000 })], refusal],
    ['another mode', [captured, storeGrant(unpaid, { mode: 'live' })], refusal],
    [
      'a grant away',
      [sql`DELETE FROM grants WHERE purchase_id = ${purchase.id}`],
      'a grant cannot be deleted',
    ],
    [
      'the purchase of a key',
      [
        sql`INSERT INTO order_keys VALUES (${claims.userId}, 'a key', ${purchase.id}, 1)`,
        sql`UPDATE order_keys SET purchase_id = ${unpaid.id}`,
      ],
      'a key names one purchase',
    ],
  ])
})

function owe(
  purchaseId: string,
  given: {
    reason: string
    payment?: string
    number?: number
    amount?: number
    tokens?: number
    before?: number
  },
) {
  const { reason, payment = 'pay_EMUtried000000', number = 0, amount = 2_500 } = given
  const { tokens = 0, before = 0 } = given
  return sql`
    INSERT INTO owed_refunds (payment_id, number, purchase_id, reason, amount_minor, tokens,
      refunded_before_minor, created_at)
    VALUES (${payment}, ${number}, ${purchaseId}, ${reason}, ${amount}, ${tokens}, ${before}, 1)`
}

test('money without a grant is owed back whole and once', async () => {
  const { purchase, unpaid, tryAll } = await openGuards()
  const captured = storePayment(unpaid)
  const excess = (given: Omit<Parameters<typeof owe>[1], 'reason'>) =>
    owe(unpaid.id, { ...given, reason: 'excess' })
  const refusal = 'only extra captured money is owed back'
  await tryAll([
    ['captured money', [captured, excess({})], null],
    ['authorized money', [storePayment(unpaid, { rank: 2 }), excess({})], refusal],
    [
      'authorized money beside captured money',
      [captured, storePayment(unpaid, { id: 'pay_2', rank: 2 }), excess({ payment: 'pay_2' })],
      refusal,
    ],
    [
      'money of another purchase',
      [captured, owe(purchase.id, { reason: 'excess', amount: 2_500 })],
      refusal,
    ],
    ['a part of it', [captured, excess({ amount: 2_499 })], refusal],
    ['a second time', [captured, excess({ number: 1 })], refusal],
    ['with tokens', [captured, excess({ tokens: 1 })], refusal],
    ['after another part', [captured, excess({ before: 1 })], refusal],
  ])
})

test('what is asked back is of whole cents and tokens that are there', async () => {
  const { purchase, unpaid, payment, stranger, tryAll } = await openGuards()
  const ask = (given: Omit<Parameters<typeof owe>[1], 'reason'> = {}, purchaseId = purchase.id) =>
    owe(purchaseId, {
      payment: payment.paymentId,
      amount: 2_000,
      tokens: 800_000,
      before: 500,
      ...given,
      reason: 'asked_for',
    })
  const use = enter({ ref: 'use:1', user: purchase.userId, kind: 'use', tokens: -100_000 })
  const refusal = 'only what is unused is asked back'
  await tryAll([
    ['all that is left', [ask()], null],
    ['the least', [ask({ amount: 1, tokens: 1, before: 0 })], null],
    ['a part of a cent', [ask({ amount: 10.5 })], refusal],
    ['a part of a token', [ask({ tokens: 10.5 })], refusal],
    ['after less than nothing', [ask({ before: -1 })], refusal],
    ['a second time', [ask({ number: 1 })], refusal],
    [
      'more than was paid, beside a greater payment',
      [storePayment(unpaid, { amount: 9_999 }), ask({ amount: 2_501, before: 0 })],
      refusal,
    ],
    [
      'tokens that somebody else has',
      [...give(stranger.userId, 900_000), ask({ tokens: 800_001 })],
      refusal,
    ],
    [
      'tokens of another mode',
      [...give(purchase.userId, 900_000, 'live'), ask({ tokens: 800_001 })],
      refusal,
    ],
    ['tokens that were used', [use, ask({ tokens: 700_001 })], refusal],
    ['tokens that are left', [use, ask({ tokens: 700_000 })], null],
    [
      'more tokens than were granted',
      [...give(purchase.userId, 900_000), ask({ tokens: 1_000_001 })],
      refusal,
    ],
    [
      'money that granted nothing',
      [storePayment(purchase), ask({ payment: 'pay_EMUtried000000' })],
      refusal,
    ],
    ["another purchase's money", [ask({}, unpaid.id)], refusal],
  ])
})

test('a gift is of whole cents of the money behind a grant', async () => {
  const { purchase, unpaid, payment, tryAll } = await openGuards()
  const gift = (given: Omit<Parameters<typeof owe>[1], 'reason'> = {}, purchaseId = purchase.id) =>
    owe(purchaseId, {
      payment: payment.paymentId,
      number: 1,
      amount: 2_000,
      before: 500,
      ...given,
      reason: 'goodwill',
    })
  const refusal = 'no more is given back than was paid'
  await tryAll([
    ['all that is left', [gift()], null],
    ['the least', [gift({ amount: 1, before: 0 })], null],
    ['nothing', [gift({ amount: 0 })], refusal],
    ['a part of a cent', [gift({ amount: 10.5 })], refusal],
    ['after less than nothing', [gift({ before: -1 })], refusal],
    ['with tokens', [gift({ tokens: 1 })], refusal],
    ['in the place of what a buyer asks for', [gift({ number: 0 })], refusal],
    ["another purchase's money", [gift({}, unpaid.id)], refusal],
    [
      'more than was paid, beside a greater payment',
      [storePayment(unpaid, { amount: 9_999 }), gift({ amount: 2_501, before: 0 })],
      refusal,
    ],
  ])
})

test('receipts and credit notes are numbered without gaps in each series, and stay', async () => {
  const { world, claims, purchase, unpaid, refund, tryAll } = await openGuards()
  const third = await createPurchase(world.ctx(), claims.userId)
  for (const one of [unpaid, third]) {
    const payment = paymentFor(one)
    const facts = factsOf({ payments: [payment], refundsAndDisputes: [refundOf(payment)] })
    await settle(world.ctx(), one, facts)
  }
  const numbers = (table: string) =>
    world.read(`SELECT number FROM ${table} ORDER BY rowid`).map(({ number }) => number)
  expect([numbers('receipts'), numbers('credit_notes')]).toEqual([
    [1, 2, 3],
    [1, 2, 3],
  ])
  const note = (series: string, number: number) => sql`
    INSERT INTO credit_notes (refund_id, purchase_id, series, number, supply, amount_minor,
      cgst_minor, sgst_minor, igst_minor, issued_at)
    SELECT id, ${purchase.id}, ${series}, ${number}, 'untaxed', 1, 0, 0, 0, 1
    FROM refunds_and_disputes WHERE id = 'rfnd_tried'`
  const refunded = sql`
    INSERT INTO refunds_and_disputes (id, kind, payment_id, amount_minor, currency, state, began_at,
      as_of, created_at, updated_at)
    SELECT 'rfnd_tried', kind, payment_id, 1, currency, state, 1, 1, 1, 1
    FROM refunds_and_disputes WHERE id = ${refund.id}`
  const receipt = (series: string, number: number) => sql`
    INSERT INTO receipts (purchase_id, series, number, buyer_name, buyer_email, seller_name,
      seller_email, line, issued_at)
    VALUES ('pur_tried', ${series}, ${number}, 'x', 'x', 'x', 'x', 'x', 1)`
  const granted = [
    insertPurchase(claims.userId, {}),
    sql`UPDATE purchases SET razorpay_order_id = 'order_tried' WHERE id = 'pur_tried'`,
    sql`
      INSERT INTO payments (id, purchase_id, razorpay_order_id, amount_minor, currency, rank,
        created_at, updated_at)
      VALUES ('pay_EMUtried000000', 'pur_tried', 'order_tried', 2500, 'USD', 3, 1, 1)`,
    storeGrant(purchase, { purchase: 'pur_tried', tokens: 1_000 }),
  ]
  const [noGaps, noGapsOfNotes] = [
    'receipts are numbered without gaps',
    'credit notes are numbered without gaps',
  ]
  await tryAll([
    ['the next receipt', [...granted, receipt('', 4)], null],
    ['the first receipt of a series', [...granted, receipt('26-27', 1)], null],
    ['a receipt after a gap', [...granted, receipt('', 5)], noGaps],
    ['a receipt of a series that begins late', [...granted, receipt('26-27', 4)], noGaps],
    ['the next note', [refunded, note('', 4)], null],
    ['the first note of a series', [refunded, note('26-27', 1)], null],
    ['a note after a gap', [refunded, note('', 5)], noGapsOfNotes],
    ['a note of a series that begins late', [refunded, note('26-27', 4)], noGapsOfNotes],
    ['a note', [sql`UPDATE credit_notes SET amount_minor = 1`], 'a credit note cannot be changed'],
    ['a note away', [sql`DELETE FROM credit_notes`], 'a credit note cannot be deleted'],
    ['a receipt', [sql`UPDATE receipts SET line = 'x'`], 'a receipt cannot be changed'],
    ['a receipt away', [sql`DELETE FROM receipts`], 'a receipt cannot be deleted'],
  ])
})
