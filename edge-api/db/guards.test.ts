import { readFileSync } from 'node:fs'
import { sql, type SQL } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  enter,
  give,
  openGuards,
  storeGrant,
  storePayment,
} from '../../tests/harness/world/guards.ts'
import {
  createPurchase,
  paymentFor,
  refundOf,
  settledPack,
} from '../../tests/harness/world/purchase.ts'
import { factsOf } from '../domain/ports/payments.ts'
import type { Purchase } from '../domain/purchase/find-purchase.ts'
import { settle } from '../domain/purchase/settle.ts'

// For all tests whose trials are rolled back. Those that change rows have a world of their own, and come last.
const { world, purchase, unpaid, payment, refund, extra, stranger, outcome, tryAll } =
  await openGuards()
const another = await createPurchase(world.ctx(), purchase.userId, { razorpayOrderId: null })

const FOLLOWS = 'the balance follows the ledger'

const setPurchase = ({ id }: Purchase, change: SQL) =>
  sql`UPDATE purchases SET ${change} WHERE id = ${id}`

test('what is settled cannot be undone, whoever tries', async () => {
  const { id, userId } = purchase
  const before = await outcome()
  const set = (change: SQL) => setPurchase(purchase, change)
  const sell = (tokens: SQL, amount: SQL) => sql`
    INSERT INTO purchases (id, user_id, sku, kind, tokens, access_days, amount_minor, currency,
      payment_mode, channel, created_at, updated_at)
    VALUES ('broken', ${stranger.userId}, 'token_pack', 'token_pack', ${tokens}, 0, ${amount},
      'USD', 'emulator', 'checkout', 1, 1)`
  await tryAll('a purchase cannot be deleted', { 'a sale away': sql`DELETE FROM purchases` })
  await tryAll('a paid purchase needs its grant', {
    'to paid': setPurchase(unpaid, sql`status = 'paid'`),
  })
  await tryAll('money that is owed back grants nothing', {
    'a grant for it': storeGrant(purchase, { payment: extra.paymentId }),
  })
  await tryAll('a grant cannot be changed', { 'its tokens': sql`UPDATE grants SET tokens = 2` })
  await tryAll('the ledger is append-only', {
    'an entry': sql`UPDATE ledger SET tokens = 2`,
    'an entry away': sql`DELETE FROM ledger`,
  })
  await tryAll('a payment only moves forward', { back: sql`UPDATE payments SET rank = 1` })
  await tryAll('a refund or dispute only moves forward', {
    back: sql`UPDATE refunds_and_disputes SET state = 'open' WHERE id = ${refund.id}`,
  })
  await tryAll('a refund or dispute cannot be deleted', {
    'a refund away': sql`DELETE FROM refunds_and_disputes`,
  })
  await tryAll('what is owed cannot be deleted', { 'a debt away': sql`DELETE FROM owed_refunds` })
  await tryAll('a series only moves forward', {
    'a number that was given': sql`UPDATE document_series SET highest = 0`,
  })
  await tryAll('a series cannot be deleted', { 'one away': sql`DELETE FROM document_series` })
  for (const status of ['creating', 'open', 'attempted', 'authorized', 'expired']) {
    await tryAll('captured money is not forgotten', {
      [`a paid purchase to ${status}`]: set(sql`status = ${status}`),
    })
  }
  await tryAll('a review needs captured money that granted nothing', {
    'a granted one to review': set(sql`status = 'review'`),
  })
  await tryAll('a purchase is paid when it is granted', {
    'when an unpaid one was paid': setPurchase(unpaid, sql`paid_at = 1`),
    'when a paid one was paid': set(sql`paid_at = paid_at + 1`),
    'to never paid': set(sql`paid_at = NULL`),
  })
  await tryAll(FOLLOWS, {
    'what was used': sql`UPDATE balances SET used = used + 1`,
    'a total by what the latest entry moved already': sql`
      UPDATE balances SET total = total - 200000 WHERE user_id = ${userId}`,
  })
  await tryAll('a balance cannot be deleted', { 'one away': sql`DELETE FROM balances` })
  const checks: [string, SQL][] = [
    ['balances_used', sql`UPDATE balances SET used = total + 1 WHERE user_id = ${userId}`],
    ['payments_whole', storePayment(unpaid, { amount: 100.5 })],
    ['payments_refunded', storePayment(unpaid, { refunded: -1 })],
    ['payments_rank', storePayment(unpaid, { rank: 9 })],
    ['purchases_whole', sell(sql`'abc'`, sql`2500`)],
    ['purchases_whole', sell(sql`1000`, sql`100.5`)],
    ['purchases_status', setPurchase(unpaid, sql`status = 'x'`)],
    ['ledger_whole', enter({ ref: 'use:half', user: userId, kind: 'use', tokens: -0.5 })],
    ['shortfalls_tokens', sql`INSERT INTO shortfalls VALUES (${id}, -1, 1)`],
    [
      'refunds_and_disputes_amount',
      sql`INSERT INTO refunds_and_disputes (id, kind, payment_id, amount_minor, currency, state,
        began_at, as_of, created_at, updated_at)
      VALUES ('rfnd_tried', 'refund', ${payment.paymentId}, -1, 'USD', 'open', 1, 1, 1, 1)`,
    ],
  ]
  for (const [check, statement] of checks)
    await tryAll(`CHECK constraint failed: ${check}`, { [check]: statement })
  expect(await outcome()).toEqual(before)
})

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
  const { userId } = stranger
  await tryAll('a purchase begins unpaid', {
    'a purchase that was paid before it began': insertPurchase(userId, { paidAt: 1 }),
    'one that begins as paid': insertPurchase(userId, { status: 'paid' }),
    'one that begins as refunded': insertPurchase(userId, { status: 'refunded' }),
    'one that begins in review': insertPurchase(userId, { status: 'review' }),
  })
  await tryAll('CHECK constraint failed: purchases_whole', {
    'a part of a day': insertPurchase(userId, { days: 0.5 }),
  })
})

test('a purchase gets an id of Razorpay once, and no other purchase gets the same', async () => {
  const taken = purchase.razorpayOrderId
  const bind = (to: Purchase, column: string, id: string | null) =>
    setPurchase(to, sql`${sql.identifier(column)} = ${id}`)
  await tryAll('an order belongs to one purchase', {
    "an order that is another purchase's": bind(another, 'razorpay_order_id', taken),
    "an order that is that of another purchase's link": [
      bind(unpaid, 'razorpay_link_order_id', 'order_1'),
      bind(another, 'razorpay_order_id', 'order_1'),
    ],
    "an order of a link that is another purchase's order": bind(
      another,
      'razorpay_link_order_id',
      taken,
    ),
    "a link that is another purchase's": [
      bind(unpaid, 'razorpay_link_id', 'plink_1'),
      bind(another, 'razorpay_link_id', 'plink_1'),
    ],
    "a new purchase with the order of another one's link": [
      bind(unpaid, 'razorpay_link_order_id', 'order_1'),
      sql`INSERT INTO purchases (id, user_id, sku, kind, tokens, access_days, amount_minor, currency, payment_mode,
            channel, status, created_at, updated_at, razorpay_order_id)
          SELECT 'pur_2', user_id, sku, kind, tokens, access_days, amount_minor, currency, payment_mode,
            channel, 'open', created_at, updated_at, 'order_1' FROM purchases WHERE id = ${another.id}`,
    ],
  })
})

test('a purchase cannot claim money without a payment that shows it', async () => {
  const turn = (status: string) => setPurchase(unpaid, sql`status = ${status}`)
  const goesBack = (state: string) => sql`
    INSERT INTO refunds_and_disputes (id, kind, payment_id, amount_minor, currency, state, began_at,
      as_of, created_at, updated_at)
    VALUES ('rfnd_tried', 'refund', 'pay_EMUtried000000', 500, 'USD', ${state}, 1, 1, 1, 1)`
  const [captured, authorized] = [storePayment(unpaid), storePayment(unpaid, { rank: 2 })]
  await tryAll('a review needs captured money that granted nothing', {
    'that was authorized, to review': [authorized, turn('review')],
  })
  await tryAll('a refunded purchase needs money that went back', {
    'that was authorized, to refunded': [
      storePayment(unpaid, { rank: 2, refunded: 500 }),
      turn('refunded'),
    ],
    'that was captured, to refunded': [captured, turn('refunded')],
    'of which the least was captured, to refunded': [
      storePayment(unpaid, { amount: 1 }),
      turn('refunded'),
    ],
    'of which a refund failed': [captured, goesBack('undone'), turn('refunded')],
  })
  await tryAll('an authorized purchase needs its payment', {
    'that failed, to authorized': [storePayment(unpaid, { rank: 1 }), turn('authorized')],
    'that nobody paid while another one is authorized, to authorized': [
      storePayment(purchase, { rank: 2 }),
      turn('authorized'),
    ],
  })
  await tryAll('a purchase is paid when it is granted', {
    'when it was paid, to when another one was': setPurchase(
      unpaid,
      sql`paid_at = (SELECT granted_at FROM grants)`,
    ),
  })
})

test('a payment and a refund only move forward', async () => {
  const set = (change: SQL) => sql`UPDATE payments SET ${change} WHERE id = ${payment.paymentId}`
  const setRefund = (change: SQL) =>
    sql`UPDATE refunds_and_disputes SET ${change} WHERE id = ${refund.id}`
  const store = (kind: string, state: string) => sql`
    INSERT INTO refunds_and_disputes (id, kind, payment_id, amount_minor, currency, state, began_at,
      as_of, created_at, updated_at)
    VALUES ('tried', ${kind}, ${payment.paymentId}, 500, 'USD', ${state}, 1, 5, 1, 1)`
  const move = (change: SQL) => sql`UPDATE refunds_and_disputes SET ${change} WHERE id = 'tried'`
  await tryAll('a payment only moves forward', {
    'less that went back': [
      set(sql`amount_refunded_minor = 500`),
      set(sql`amount_refunded_minor = 499`),
    ],
  })
  await tryAll('a payment cannot be deleted', {
    'a payment away': sql`DELETE FROM payments WHERE id = ${payment.paymentId}`,
  })
  await tryAll('CHECK constraint failed: payments_whole', {
    'a part of a cent that went back': storePayment(unpaid, { refunded: 0.5 }),
    'half a rank': [
      storePayment(unpaid, { rank: 2 }),
      sql`UPDATE payments SET rank = 2.5 WHERE rank = 2`,
    ],
  })
  await tryAll('a refund or dispute only moves forward', {
    'an older report': setRefund(sql`as_of = as_of - 1`),
    'less of a refund': setRefund(sql`amount_minor = 499`),
    'a refund that failed, to ended': [store('refund', 'undone'), move(sql`state = 'final'`)],
    'when it failed': [store('refund', 'undone'), move(sql`undone_after = 1`)],
    'when one failed that did not': [store('refund', 'open'), move(sql`undone_after = 1`)],
  })
})

test('a grant needs a captured payment of its own purchase that matches it', async () => {
  const captured = storePayment(unpaid)
  await tryAll('a grant needs a matching captured payment', {
    "another purchase's, on its order": [
      storePayment(purchase, { order: unpaid.razorpayOrderId }),
      storeGrant(unpaid),
    ],
    "another purchase's": [captured, storeGrant(unpaid, { purchase: another.id })],
    'one that failed beside one that was captured': [
      captured,
      storePayment(unpaid, { id: 'pay_EMUfailed00000', rank: 1 }),
      storeGrant(unpaid, { payment: 'pay_EMUfailed00000' }),
    ],
    'an authorized one': [storePayment(unpaid, { rank: 2 }), storeGrant(unpaid)],
    'another amount': [storePayment(unpaid, { amount: 2_499 }), storeGrant(unpaid)],
    'another currency': [storePayment(unpaid, { currency: 'INR' }), storeGrant(unpaid)],
    'another order': [storePayment(unpaid, { order: 'order_1' }), storeGrant(unpaid)],
    'other tokens': [captured, storeGrant(unpaid, { tokens: 9_000_000 })],
    'fewer tokens': [captured, storeGrant(unpaid, { tokens: 1 })],
    'another mode': [captured, storeGrant(unpaid, { mode: 'live' })],
    'somebody else': [captured, storeGrant(unpaid, { user: stranger.userId })],
  })
  await tryAll('a grant cannot be deleted', {
    'a grant away': sql`DELETE FROM grants WHERE purchase_id = ${purchase.id}`,
  })
  await tryAll('a key names one purchase', {
    'the purchase of a key': [
      sql`INSERT INTO order_keys VALUES (${purchase.userId}, 'a key', ${purchase.id}, 1)`,
      sql`UPDATE order_keys SET purchase_id = ${unpaid.id}`,
    ],
  })
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
    lost?: number
  },
) {
  const { reason, payment = 'pay_EMUtried000000', number = 0, amount = 2_500 } = given
  const { tokens = 0, before = 0, lost = 0 } = given
  return sql`
    INSERT INTO owed_refunds (payment_id, number, purchase_id, reason, amount_minor, tokens,
      refunded_before_minor, lost_before_minor, created_at)
    VALUES (${payment}, ${number}, ${purchaseId}, ${reason}, ${amount}, ${tokens}, ${before}, ${lost}, 1)`
}

test('money without a grant is owed back whole and once', async () => {
  const captured = storePayment(unpaid)
  const excess = (given: Omit<Parameters<typeof owe>[1], 'reason'>) =>
    owe(unpaid.id, { ...given, reason: 'excess' })
  await tryAll('only extra captured money is owed back', {
    'authorized money': [storePayment(unpaid, { rank: 2 }), excess({})],
    'money that was granted': owe(purchase.id, { reason: 'excess', payment: payment.paymentId }),
    'authorized money beside captured money': [
      captured,
      storePayment(unpaid, { id: 'pay_2', rank: 2 }),
      excess({ payment: 'pay_2' }),
    ],
    'money of another purchase': [captured, owe(purchase.id, { reason: 'excess', amount: 2_500 })],
    'a part of it': [captured, excess({ amount: 2_499 })],
    'a part of it, by hand': [captured, owe(unpaid.id, { reason: 'mismatch', amount: 2_499 })],
    'a second time': [captured, excess({ number: 1 })],
    'with tokens': [captured, excess({ tokens: 1 })],
    'after another part': [captured, excess({ before: 1 })],
    'after a part that was lost': [captured, excess({ lost: 1 })],
  })
})

test('a refund that was asked for has whole cents and existing tokens', async () => {
  const ask = (given: Omit<Parameters<typeof owe>[1], 'reason'> = {}, purchaseId = purchase.id) =>
    owe(purchaseId, {
      payment: payment.paymentId,
      number: 1,
      amount: 2_000,
      tokens: 800_000,
      before: 500,
      ...given,
      reason: 'asked_for',
    })
  const use = enter({ ref: 'use:1', user: purchase.userId, kind: 'use', tokens: -100_000 })
  await tryAll('only what is unused is asked back', {
    nothing: ask({ amount: 0 }),
    'no tokens': ask({ tokens: 0 }),
    'more tokens than there are': ask({ tokens: 800_001 }),
    'what went back already': ask({ amount: 2_001 }),
    'after less than nothing': ask({ before: -1 }),
    'after more that was lost than had gone': ask({ before: 500, lost: 501 }),
    'after less than nothing that was lost': ask({ lost: -1 }),
    'more than was paid, beside a greater payment': [
      storePayment(unpaid, { amount: 9_999 }),
      ask({ amount: 2_501, before: 0 }),
    ],
    'tokens that somebody else has': [...give(stranger.userId, 900_000), ask({ tokens: 800_001 })],
    'tokens of another mode': [...give(purchase.userId, 900_000, 'live'), ask({ tokens: 800_001 })],
    'tokens that were used': [use, ask({ tokens: 700_001 })],
    'more tokens than were granted': [
      ...give(purchase.userId, 900_000),
      ask({ tokens: 1_000_001 }),
    ],
    'money that granted nothing': [storePayment(purchase), ask({ payment: 'pay_EMUtried000000' })],
    "another purchase's money": ask({}, unpaid.id),
  })
  await tryAll('CHECK constraint failed: owed_refunds_whole', {
    'a part of a cent': ask({ amount: 10.5 }),
    'a part of a token': ask({ tokens: 10.5 }),
  })
  await tryAll('what is owed is numbered in its order', { 'out of its order': ask({ number: 2 }) })
  await tryAll('UNIQUE constraint failed', { 'a second time': [ask({}), ask({ number: 2 })] })
})

test('a goodwill refund has whole cents, and no more than the money behind a grant', async () => {
  const gift = (given: Omit<Parameters<typeof owe>[1], 'reason'> = {}, purchaseId = purchase.id) =>
    owe(purchaseId, {
      payment: payment.paymentId,
      number: 1,
      amount: 2_000,
      before: 500,
      ...given,
      reason: 'goodwill',
    })
  await tryAll('no more is given back than was paid', {
    nothing: gift({ amount: 0 }),
    'what went back already': gift({ amount: 2_001 }),
    'of money without a grant': gift({ payment: extra.paymentId, before: 0 }),
    'after less than nothing': gift({ before: -1 }),
    'with tokens': gift({ tokens: 1 }),
    'after more that was lost than had gone': gift({ lost: 501 }),
    "another purchase's money": gift({}, unpaid.id),
    'more than was paid, beside a greater payment': [
      storePayment(unpaid, { amount: 9_999 }),
      gift({ amount: 2_501, before: 0 }),
    ],
  })
  await tryAll('CHECK constraint failed: owed_refunds_whole', {
    'a part of a cent': gift({ amount: 10.5 }),
  })
  await tryAll('what is owed is numbered in its order', { 'out of its order': gift({ number: 0 }) })
})

test('a lot changes only with an entry of its account, by no more than that, and in the same direction', async () => {
  const { id, userId: user } = purchase
  // A fifth of it went back.
  expect(await world.read('SELECT purchase_id, tokens, left FROM lots')).toEqual([
    { purchase_id: id, tokens: 1_000_000, left: 800_000 },
  ])
  const entry = enter({ ref: 'use:1', user, kind: 'use', tokens: -100 })
  const set = (text: string) => sql.raw(`UPDATE lots SET ${text}`)
  const refusal = 'lots follow the ledger'
  await tryAll(refusal, {
    'tokens back without an entry': set('left = left + 1'),
    'more than the entry takes': [entry, set('left = left - 101')],
    'tokens that an entry took': [entry, set('left = left + 100')],
    'for an entry of somebody else': [
      ...give(stranger.userId, 100),
      enter({ ref: 'use:2', user: stranger.userId, kind: 'use', tokens: -1 }),
      set(`left = left - 1 WHERE purchase_id = '${id}'`),
    ],
    'for an entry of another mode': [
      ...give(user, 100, 'live'),
      enter({ ref: 'use:3', user, kind: 'use', tokens: -1, mode: 'live' }),
      set(`left = left - 1 WHERE purchase_id = '${id}'`),
    ],
    'a lot of an entry that brought none': [
      entry,
      sql`INSERT INTO lots (ref, user_id, payment_mode, tokens, left)
          VALUES ('use:1', ${user}, 'emulator', 100, 100)`,
    ],
  })
  for (const text of [
    'number = 9',
    "ref = 'x'",
    "user_id = 'x'",
    "payment_mode = 'live'",
    'purchase_id = NULL',
    'tokens = 9',
  ])
    await tryAll(refusal, { [text]: [entry, set(`${text}, left = left - 1`)] })
  await tryAll('a lot cannot be deleted', { 'a lot away': sql`DELETE FROM lots` })
})

const PROVEN = sql`UPDATE users SET email_verified_at = 1`

test('an entry of the ledger is backed by its grant, by a proven address or by the act of an operator', async () => {
  const { id, userId: user, tokens } = purchase
  const grant = (changes: Partial<Parameters<typeof enter>[0]>) =>
    enter({ ref: `grant:${id}`, user, kind: 'grant', tokens, purchase: id, ...changes })
  const trial = (ref: string) =>
    enter({ ref, user: stranger.userId, kind: 'trial', tokens: 20_000 })
  const act = (kind: string) => sql`
    INSERT INTO desk_acts (id, operator_id, kind, user_id, reason, changes, created_at)
    VALUES ('act_1', 'usr_1', ${kind}, ${user}, 'a test', '{}', 1)`
  const adjust = (ref: string, who = user) =>
    enter({ ref, user: who, kind: 'adjustment', tokens: 5 })
  await tryAll('a grant entry needs its grant', {
    'of a grant under another name': grant({ ref: 'grant:again' }),
    'of a grant for another purchase': grant({ purchase: unpaid.id }),
    'of a grant to somebody else': grant({ user: stranger.userId }),
    'of a grant of other tokens': grant({ tokens: tokens + 1 }),
    'of a grant in another mode': grant({ mode: 'live' }),
  })
  await tryAll('a trial needs a proven address', {
    'of a trial of no proven address': trial(`trial:${stranger.userId}`),
    'of a trial under another name': [PROVEN, trial('trial:x')],
    'of a trial in other letters': [PROVEN, trial(`TRIAL:${stranger.userId}`)],
    'of the trial of somebody else': [PROVEN, trial(`trial:${user}`)],
  })
  await tryAll('an adjustment needs the act of an operator', {
    'of no act': adjust('adjustment:act_1'),
    'of an act under another name': [act('adjust_tokens'), adjust('adjustment:x')],
    'of an act in other letters': [act('adjust_tokens'), adjust('adjustment:ACT_1')],
    'of an act on tokens of nobody': [act('delete_account'), adjust('adjustment:act_1')],
    'of an act on somebody else': [
      act('adjust_tokens'),
      adjust('adjustment:act_1', stranger.userId),
    ],
  })
  await tryAll('CHECK constraint failed: ledger_sign', {
    'of no tokens': enter({ ref: 'use:none', user: stranger.userId, kind: 'use', tokens: 0 }),
  })
})

test("tokens are taken only from the account's own balance, in its own payment mode, and only from what is left", async () => {
  const { userId: user } = purchase
  const use = (tokens: number, mode = 'emulator') =>
    enter({ ref: `use:${tokens}`, user, kind: 'use', tokens: -tokens, mode })
  await tryAll('insufficient tokens', {
    'one more after some': [use(100_000), use(700_001)],
    'in another mode': use(1, 'live'),
    'of somebody who has none': enter({
      ref: 'use:1',
      user: stranger.userId,
      kind: 'use',
      tokens: -1,
    }),
  })
})

test('tokens of a purchase are taken back and given back only within its grant', async () => {
  const second = [
    storePayment(unpaid),
    storeGrant(unpaid),
    enter({
      ref: `grant:${unpaid.id}`,
      user: unpaid.userId,
      kind: 'grant',
      tokens: unpaid.tokens,
      purchase: unpaid.id,
    }),
  ]
  const move = (
    kind: string,
    tokens: number,
    given: { of?: string; user?: string; mode?: string } = {},
  ) => {
    const { of = purchase.id, user = purchase.userId, mode = 'emulator' } = given
    return enter({ ref: `${kind}:${tokens}`, user, kind, tokens, purchase: of, mode })
  }
  const [back, again] = ['reversal', 'restoration'] as const
  await tryAll('more cannot be reversed than was granted', {
    'more than was taken comes back': move(again, 200_001),
    'what came back comes back': [move(again, 200_000), move(again, 1)],
    'it comes back to somebody else': move(again, 1, { user: stranger.userId }),
    'it comes back in another mode': move(again, 1, { mode: 'live' }),
    'what another purchase gave back comes back': [...second, move(again, 1, { of: unpaid.id })],
    'a purchase without a grant gives back': move(back, -1, { of: unpaid.id }),
    'a purchase gives back more': [...second, move(back, -1_000_001, { of: unpaid.id })],
    'a purchase gives back more than the rest': [...second, move(back, -800_001)],
  })
})

test("the record of an operator's act stays", async () => {
  const act = sql`
    INSERT INTO desk_acts (id, operator_id, kind, reason, changes, created_at)
    VALUES ('act_1', 'usr_1', 'adjust_tokens', 'a test', '{}', 1)`
  await tryAll('an act of an operator cannot be changed', {
    'its reason': [act, sql`UPDATE desk_acts SET reason = 'x'`],
  })
  await tryAll('an act of an operator cannot be deleted', {
    'all of it': [act, sql`DELETE FROM desk_acts`],
  })
})

test('an alarm grows until it is acknowledged, and then stays as it is', async () => {
  const alarm = sql`
    INSERT INTO alarms (id, kind, first_seen_at, last_seen_at, count, fields)
    VALUES ('alm_1', 'a kind', 5, 5, 5, '{}')`
  const set = (change: SQL) => sql`UPDATE alarms SET ${change}`
  const acknowledge = set(sql`acknowledged_at = 9, acknowledged_by = 'usr_1'`)
  const refusal = 'an alarm cannot be changed'
  await tryAll(refusal, {
    'its id': [alarm, set(sql`id = 'alm_2'`)],
    'its kind': [alarm, set(sql`kind = 'another'`)],
    'when it was first seen': [alarm, set(sql`first_seen_at = 4`)],
    'to seen earlier': [alarm, set(sql`last_seen_at = 4`)],
    'to seen less often': [alarm, set(sql`count = 4`)],
    'to acknowledged by nobody': [alarm, set(sql`acknowledged_at = 9`)],
    'to acknowledged at no time': [alarm, set(sql`acknowledged_by = 'usr_1'`)],
    'after it was acknowledged': [alarm, acknowledge, set(sql`count = 6`)],
  })
  await tryAll(null, {
    'what it says': [alarm, set(sql`fields = '{"a":1}'`)],
    'to seen again': [alarm, set(sql`last_seen_at = 6, count = 6`)],
    'to acknowledged': [alarm, acknowledge],
  })
  await tryAll('an alarm cannot be deleted', { 'all of it': [alarm, sql`DELETE FROM alarms`] })
})

/** The refusal of each table's guard, and the columns that it leaves to other guards and to the code. */
const FIXED = {
  purchases: {
    refusal: 'a purchase cannot be changed',
    free: [
      ...['status', 'link_url', 'link_expires_at', 'proven_at', 'paid_at', 'cancelled_at'],
      ...['updated_at', 'next_check_at', 'check_count', 'extra_days'],
    ],
  },
  payments: {
    refusal: 'a payment only moves forward',
    free: [
      ...['rank', 'amount_refunded_minor', 'base_amount_minor', 'base_currency', 'method'],
      ...['error_reason', 'is_international', 'conflict_at', 'created_at', 'updated_at'],
    ],
  },
  refunds_and_disputes: {
    refusal: 'a refund or dispute only moves forward',
    free: [
      ...['amount_minor', 'currency', 'state', 'phase', 'respond_by', 'began_at', 'as_of'],
      ...['created_at', 'updated_at', 'undone_after'],
    ],
  },
  owed_refunds: {
    refusal: 'what is owed cannot be changed',
    free: ['created_at', 'due_at', 'attempts', 'refund_id', 'done_at'],
  },
  balances: {
    refusal: 'the balance follows the ledger',
    // `total` and `used` follow the ledger by another guard.
    free: ['total', 'used', 'low_notified_total'],
  },
} as const

test.each(Object.entries(FIXED))(
  'no column of %s changes but those that are free to',
  async (table, { refusal, free }) => {
    const columns = await world.read(`SELECT name, type FROM pragma_table_info('${table}')`)
    const fixed = columns.filter(({ name }) => !free.some((one) => one === name))
    expect(columns.length - fixed.length).toBe(free.length)
    // A missing one may be added.
    const link = setPurchase(purchase, sql`razorpay_link_id = 'x', razorpay_link_order_id = 'x'`)
    for (const { name, type } of fixed) {
      const column = sql.identifier(String(name))
      const other = type === 'integer' ? sql`${column} + 1` : sql`coalesce(${column}, '') || 'x'`
      const change = sql`UPDATE ${sql.identifier(table)} SET ${column} = ${other}
        WHERE rowid = (SELECT min(rowid) FROM ${sql.identifier(table)})`
      await tryAll(refusal, { [String(name)]: [link, change] })
    }
  },
)

test('every guard of the schema is tried here', async () => {
  const schema = await world.read('SELECT group_concat(sql, char(10)) AS text FROM sqlite_master')
  const text = String(schema[0]?.['text'])
  const refusals = [...text.matchAll(/RAISE\(ABORT, '([^']+)'\)/g)].map(([, words = '']) => words)
  const tried = readFileSync(import.meta.filename, 'utf8')
  expect(refusals.filter((words) => !tried.includes(words))).toEqual([])
})

test('receipts and credit notes are numbered without gaps in each series, and stay', async () => {
  const { world, purchase, unpaid, refund, tryAll } = await openGuards()
  const third = await createPurchase(world.ctx(), purchase.userId)
  for (const one of [unpaid, third]) {
    const payment = paymentFor(one)
    const facts = factsOf({ payments: [payment], refundsAndDisputes: [refundOf(payment)] })
    await settle(world.ctx(), one, facts)
  }
  const numbers = async (table: string) =>
    (await world.read(`SELECT number FROM ${table} ORDER BY rowid`)).map(({ number }) => number)
  expect([await numbers('receipts'), await numbers('credit_notes')]).toEqual([
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
  const cancel = (id: string, changes: { amount?: number; purchase?: string } = {}) => sql`
    INSERT INTO credit_notes (refund_id, is_cancellation, purchase_id, series, number, supply,
      amount_minor, cgst_minor, sgst_minor, igst_minor, issued_at)
    SELECT refund_id, 1, coalesce(${changes.purchase ?? null}, purchase_id), '', 4, supply,
      coalesce(${changes.amount ?? null}, -amount_minor), 0, 0, 0, 1
    FROM credit_notes WHERE refund_id = ${id}`
  const undone = sql`UPDATE refunds_and_disputes SET state = 'undone' WHERE id = ${refund.id}`
  const receipt = (series: string, number: number) => sql`
    INSERT INTO receipts (purchase_id, series, number, buyer_name, buyer_email, seller_name,
      seller_email, line, issued_at)
    VALUES ('pur_tried', ${series}, ${number}, 'x', 'x', 'x', 'x', 'x', 1)`
  const granted = [
    insertPurchase(purchase.userId, {}),
    sql`UPDATE purchases SET razorpay_order_id = 'order_tried' WHERE id = 'pur_tried'`,
    sql`
      INSERT INTO payments (id, purchase_id, razorpay_order_id, amount_minor, currency, rank,
        created_at, updated_at)
      VALUES ('pay_EMUtried000000', 'pur_tried', 'order_tried', 2500, 'USD', 3, 1, 1)`,
    storeGrant(purchase, { purchase: 'pur_tried', tokens: 1_000 }),
  ]
  await tryAll('receipts are numbered without gaps', {
    'a receipt after a gap': [...granted, receipt('', 5)],
    'a receipt of a series that begins late': [...granted, receipt('26-27', 4)],
  })
  await tryAll('credit notes are numbered without gaps', {
    'a note after a gap': [refunded, note('', 5)],
    'a note of a series that begins late': [refunded, note('26-27', 4)],
    'a second cancellation': [undone, cancel(refund.id), cancel(refund.id)],
  })
  await tryAll('a cancellation is of a note whose refund is undone', {
    'a cancellation of a refund that is done': cancel(refund.id),
    'a cancellation of a part': [undone, cancel(refund.id, { amount: -1 })],
    'of another purchase': [undone, cancel(refund.id, { purchase: unpaid.id })],
  })
  await tryAll('a credit note cannot be changed', {
    'a note': sql`UPDATE credit_notes SET amount_minor = 1`,
  })
  await tryAll('a credit note cannot be deleted', { 'a note away': sql`DELETE FROM credit_notes` })
  await tryAll('a receipt cannot be changed', { 'a receipt': sql`UPDATE receipts SET line = 'x'` })
  await tryAll('a receipt cannot be deleted', { 'a receipt away': sql`DELETE FROM receipts` })
})

test('a balance moves with the latest entry alone', async () => {
  const { world, purchase, stranger, attempt, tryAll } = await openGuards()
  const { userId: user } = purchase
  const others = [
    PROVEN,
    enter({ ref: `trial:${stranger.userId}`, user: stranger.userId, kind: 'trial', tokens: 100 }),
    ...give(user, 100, 'live'),
  ]
  const latest = enter({
    ref: 'restoration:1',
    user,
    kind: 'restoration',
    tokens: 100,
    purchase: purchase.id,
  })
  const begin = (who: string, mode: string) =>
    sql`INSERT INTO balances (user_id, payment_mode, total, used) VALUES (${who}, ${mode}, 100, 0)`
  const add = (who: string, mode: string, tokens: number) =>
    sql`UPDATE balances SET total = total + ${tokens} WHERE user_id = ${who} AND payment_mode = ${mode}`
  await tryAll(FOLLOWS, {
    "another user's, with the latest entry": [latest, begin(stranger.userId, 'emulator')],
    "another mode's, with the latest entry": [latest, begin(user, 'live')],
    "another user's, by the latest entry": [
      ...others,
      latest,
      add(stranger.userId, 'emulator', 100),
    ],
    "another mode's, by the latest entry": [...others, latest, add(user, 'live', 100)],
    'by an earlier entry': add(user, 'emulator', purchase.tokens),
  })
  const movedBy = async () =>
    Object.fromEntries(
      (
        await world.read('SELECT user_id || payment_mode AS whose, total, last_ref FROM balances')
      ).map(({ whose, total, last_ref }) => [whose, [total, last_ref]]),
    )
  const trial = [100, `trial:${stranger.userId}`]
  const given = [100, 'adjustment:act_live']
  await attempt(latest)
  // Entries begin several balances; a later entry moves one and leaves the others alone.
  await attempt(...others)
  expect(await movedBy()).toEqual({
    [`${user}emulator`]: [800_100, 'restoration:1'],
    [`${stranger.userId}emulator`]: trial,
    [`${user}live`]: given,
  })
  await attempt(enter({ ref: 'use:1', user, kind: 'use', tokens: -5 }))
  expect(await movedBy()).toEqual({
    [`${user}emulator`]: [800_100, 'use:1'],
    [`${stranger.userId}emulator`]: trial,
    [`${user}live`]: given,
  })
  await attempt(...give(user, -7))
  expect(await movedBy()).toMatchObject({
    [`${user}emulator`]: [800_093, 'adjustment:act_emulator'],
  })
})

test('a shortfall has whole tokens that their owner used in that mode', async () => {
  const { world, purchase, stranger, tryAll } = await openGuards()
  const { id, userId: user } = purchase
  // Others who used tokens: another user with a purchase, and the same user in another mode.
  await settledPack(world.ctx(), stranger.userId)
  const use = (ref: string, owner: string, tokens: number) =>
    enter({ ref, user: owner, kind: 'use', tokens: -tokens })
  const used = [use('use:some', user, 5), use('use:other', stranger.userId, 9)]
  const miss = (tokens: number) => sql`INSERT INTO shortfalls VALUES (${id}, ${tokens}, 1)`
  const change = (tokens: number) =>
    sql`UPDATE shortfalls SET tokens = ${tokens} WHERE purchase_id = ${id}`
  await tryAll('only tokens that were used are missed', {
    'one that nobody used': miss(1),
    'more than were used': [...used, miss(6)],
    'more later than were used': [...used, miss(5), change(6)],
  })
  await tryAll('CHECK constraint failed: shortfalls_whole', {
    'a part of a token': [...used, miss(0.5)],
    'a part of a token more': [...used, miss(4), change(4.5)],
  })
})

test('a usage session counts once, when it first ends', async () => {
  const { world, purchase, attempt } = await openGuards()
  const end = (at: number) => sql`UPDATE usage_sessions SET ended_at = ${at}`
  const begin = sql`
    INSERT INTO usage_sessions (user_id, session_id, mode, started_at, has_succeeded, seconds_saved)
    VALUES (${purchase.userId}, 'open', 'x', 1, 1, 7)`
  await attempt(begin, end(9), end(10))
  expect(
    await world.read(
      'SELECT completed, rated, succeeded, seconds_saved AS saved FROM usage_totals',
    ),
  ).toEqual([{ completed: 1, rated: 1, succeeded: 1, saved: 7 }])
})
