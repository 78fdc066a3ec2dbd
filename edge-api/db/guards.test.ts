import { type SQL, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createAccount } from '#harness/fixture/account.ts'
import { emptyFixture } from '#harness/fixture/empty-fixture.ts'
import {
  createPurchase,
  openUnpaidPurchase,
  paymentFor,
  refundOf,
} from '#harness/fixture/purchase.ts'
import type { Purchase } from '../domain/purchase/purchase.ts'

// A paid pack of $25.00 of which $5.00 was refunded, an extra payment of it, and an unpaid pack. Each trial is rolled back.
const { fixture, purchase, report } = await openUnpaidPurchase({}, await emptyFixture())
const payment = paymentFor(purchase)
const extra = paymentFor(purchase)
await report({ payments: [payment] })
await report({ payments: [extra], refunds: [refundOf(payment, { amountMinor: 500 })] })
const unpaid = await createPurchase(fixture.ctx(), purchase.userId)
const another = await createPurchase(fixture.ctx(), purchase.userId)
const stranger = await createAccount(fixture.ctx())

const ROLLED_BACK = 'NOT NULL constraint failed: order_keys'

/** Tries statements in one batch, and rolls them back by one that is always rejected. */
async function attempt(tried: SQL | readonly SQL[]): Promise<string> {
  const { db } = fixture.ctx()
  const last = sql`INSERT INTO order_keys (user_id, key, purchase_id, created_at) VALUES (NULL, '', '', 1)`
  const statements = [tried, last].flat().map((statement) => db.run(statement))
  const fault: unknown = await db.batch({ statements }).catch((error: unknown) => error)
  return fault instanceof Error ? fault.message : 'accepted'
}

/** A captured payment that matches a purchase, except for these values. */
function storePayment(
  { id, razorpayOrderId }: Purchase,
  {
    paymentId = 'pay_tried',
    order = razorpayOrderId,
    amount = 2_500,
    currency = 'USD',
    rank = 3,
  } = {},
): SQL {
  return sql`
    INSERT INTO payments (id, purchase_id, razorpay_order_id, amount_minor, currency, rank, created_at, updated_at)
    VALUES (${paymentId}, ${id}, ${order}, ${amount}, ${currency}, ${rank}, 1, 1)`
}

/** The grant of the unpaid purchase for the payment of `storePayment`, except for these values. */
function storeGrant(given: { payment?: string; user?: string; tokens?: number; mode?: string }) {
  const { user = unpaid.userId, tokens = unpaid.tokens, mode = 'emulator' } = given
  return sql`
    INSERT INTO grants (purchase_id, payment_id, user_id, tokens, payment_mode, granted_at)
    VALUES (${unpaid.id}, ${given.payment ?? 'pay_tried'}, ${user}, ${tokens}, ${mode}, 1)`
}

function owe(amount: number, { of = 'pay_tried', number = 0, reason = 'excess' } = {}): SQL {
  return sql`
    INSERT INTO owed_refunds (payment_id, number, purchase_id, reason, amount_minor, created_at)
    VALUES (${of}, ${number}, ${unpaid.id}, ${reason}, ${amount}, 1)`
}

const set = (table: string, change: SQL) => sql`UPDATE ${sql.identifier(table)} SET ${change}`
const act = sql`
  INSERT INTO desk_acts (id, operator_id, kind, reason, changes, created_at)
  VALUES ('act_1', 'usr_1', 'adjust_tokens', 'a test', '{}', 1)`
const alert = sql`
  INSERT INTO alarms (id, kind, first_seen_at, last_seen_at, count, fields)
  VALUES ('alm_1', 'a kind', 5, 5, 5, '{}')`
const setAlert = (change: SQL) => [alert, set('alarms', change)]
const captured = storePayment(unpaid)

/** The triggers that reject, each with what it protects that the code cannot. What a statement's own condition rejects has none. */
const GUARDS: Record<string, [rejection: string, refuses: Record<string, SQL | SQL[]>]> = {
  /** What is sold is fixed before money moves, and many places write purchases. */
  purchases_fixed: [
    'a purchase cannot be changed',
    { 'its price': set('purchases', sql`amount_minor = 100`) },
  ],
  /** No tokens without captured money of the same sale: a fault in settling fails, instead of giving tokens away. */
  grants_backed: [
    'a grant needs a matching captured payment that is not owed back',
    {
      'no payment': storeGrant({}),
      'an authorized one': [storePayment(unpaid, { rank: 2 }), storeGrant({})],
      'another amount': [storePayment(unpaid, { amount: 2_499 }), storeGrant({})],
      'another currency': [storePayment(unpaid, { currency: 'INR' }), storeGrant({})],
      'another order': [storePayment(unpaid, { order: 'order_1' }), storeGrant({})],
      "another purchase's": [
        storePayment(another, { order: unpaid.razorpayOrderId }),
        storeGrant({}),
      ],
      'other tokens': [captured, storeGrant({ tokens: 1_000_001 })],
      'somebody else': [captured, storeGrant({ user: stranger.userId })],
      'another mode': [captured, storeGrant({ mode: 'live' })],
      'money that is owed back': [captured, owe(2_500), storeGrant({})],
    },
  ],
  /** A fault in what is owed cannot send more than was paid. */
  owed_within_payment: [
    'no more is owed back than was paid',
    {
      'more than was paid': [captured, owe(2_501)],
      'less than nothing': [captured, owe(-1)],
      'money that is not captured': [storePayment(unpaid, { rank: 2 }), owe(1)],
      'money that is not here': owe(1, { of: 'pay_1' }),
    },
  ],
  /** The history that customers and banks are shown, against any code and SQL by hand. */
  ledger_fixed: ['the ledger is append-only', { 'its tokens': set('ledger', sql`tokens = 2`) }],
  ledger_kept: ['the ledger is append-only', { all: sql`DELETE FROM ledger` }],
  /** Tax law: a document that was given out stays as it is. */
  receipts_fixed: ['a receipt cannot be changed', { 'its line': set('receipts', sql`line = 'x'`) }],
  receipts_kept: ['a receipt cannot be deleted', { all: sql`DELETE FROM receipts` }],
  credit_notes_fixed: [
    'a credit note cannot be changed',
    { 'its amount': set('credit_notes', sql`amount_minor = 1`) },
  ],
  credit_notes_kept: ['a credit note cannot be deleted', { all: sql`DELETE FROM credit_notes` }],
  /** What an operator did stays written down, whatever a later operator wants. */
  desk_acts_fixed: [
    'an act of an operator cannot be changed',
    { 'its reason': [act, set('desk_acts', sql`reason = 'x'`)] },
  ],
  desk_acts_kept: [
    'an act of an operator cannot be deleted',
    { all: [act, sql`DELETE FROM desk_acts`] },
  ],
  /** An alert grows until it is acknowledged. After that only its facts may be emptied. */
  alarms_fixed: [
    'an alarm cannot be changed',
    {
      'its kind': setAlert(sql`kind = 'another'`),
      'to seen earlier': setAlert(sql`last_seen_at = 4`),
      'to seen less often': setAlert(sql`count = 4`),
      'to acknowledged by nobody': setAlert(sql`acknowledged_at = 9`),
      'after it was acknowledged': [
        ...setAlert(sql`acknowledged_at = 9, acknowledged_by = 'usr_1'`),
        set('alarms', sql`count = 6`),
      ],
    },
  ],
  alarms_kept: ['an alarm cannot be deleted', { all: [alert, sql`DELETE FROM alarms`] }],
}

/** The triggers that write. */
const WRITERS = [
  // The balance is the sum of the ledger.
  ...['ledger_added', 'ledger_used', 'ledger_reversed'],
  // What an entry brings is a lot of its own.
  'ledger_brought',
  /**
   * First in, first out, in the one statement that enters a use: using tokens takes one round trip. `before` is what is left
   * in the lots before a lot, which gives the rest, as far as it has that much. With lots of 10 (trial), 100 and 100 tokens,
   * `before` is 0, 10 and 110, and a use of 130 takes 10, 100 and 20. An adjustment takes from lots that nobody bought first.
   *
   * Most uses fit into the oldest lot that has tokens, so of a use of 8 only that lot is read: the innermost SELECT answers its
   * number, up to which lots are read. Otherwise it answers 9223372036854775807, the greatest integer, and all are read.
   */
  'ledger_took',
  // The tokens of a purchase come and go with its own money.
  'ledger_returned',
  // The sum of the chart, in the same statement.
  'ledger_used_on_day',
  // The totals of ended sessions, each counted once.
  ...['usage_sessions_ended', 'usage_sessions_begun_ended'],
]

const TRIGGERS_HEAD = `-- Every trigger of the database, as the migrations left it: read this, change them by a migration. guards.test.ts says what
-- each is for. After a migration that changes one: npm test -- edge-api/db/guards -u
-- Older names: owed_refunds are the code's pendingRefunds, its before is deducted, rank is the status of a payment (3: captured),
-- proven_at is verifiedAt, desk_acts are the adminLog, and alarms the alerts.

`

test('the schema has no other triggers, and schema/triggers.sql shows them as they are', async () => {
  const rows = await fixture.read(
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY tbl_name, name",
  )
  const names = rows.map(({ name }) => String(name)).toSorted()
  expect(names).toEqual([...Object.keys(GUARDS), ...WRITERS].toSorted())
  const text = rows.map((row) => `${String(row['sql']).trim()};\n`).join('\n')
  await expect(TRIGGERS_HEAD + text).toMatchFileSnapshot('./schema/triggers.sql')
})

test.each(
  Object.entries(GUARDS).flatMap(([name, [rejection, refuses]]) =>
    Object.entries(refuses).map(([what, tried]) => ({ name, what, tried, rejection })),
  ),
)('$name rejects: $what', async ({ tried, rejection }) => {
  expect(await attempt(tried)).toContain(rejection)
})

test('the triggers let through what is right', async () => {
  const right = {
    'a grant': [captured, storeGrant({})],
    'all of a payment owed back': [captured, owe(2_500)],
    'an alarm that was seen again': setAlert(sql`last_seen_at = 6, count = 6`),
  }
  for (const [what, tried] of Object.entries(right))
    expect(await attempt(tried), what).toContain(ROLLED_BACK)
})

test('of a purchase, nothing changes but its state', async () => {
  const free = [
    ...['status', 'link_url', 'link_expires_at', 'proven_at', 'paid_at', 'reversed_at'],
    ...['cancelled_at', 'updated_at', 'next_check_at', 'check_count', 'extra_days'],
  ]
  const columns = await fixture.read("SELECT name, type FROM pragma_table_info('purchases')")
  const link = set('purchases', sql`razorpay_link_id = id, razorpay_link_order_id = id`)
  for (const { name, type } of columns) {
    const column = sql.identifier(String(name))
    const other = type === 'integer' ? sql`${column} + 1` : sql`coalesce(${column}, '') || 'x'`
    const message = await attempt([link, set('purchases', sql`${column} = ${other}`)])
    const isFree = free.includes(String(name))
    expect(message.includes('a purchase cannot be changed'), String(name)).toBe(!isFree)
  }
})

const TABLES: Record<string, [constraint: string, tried: SQL | SQL[]]> = {
  'more used than there is': [
    'CHECK constraint failed: balances_used',
    set('balances', sql`used = total + 1`),
  ],
  'less left than nothing': ['CHECK constraint failed: lots_left', set('lots', sql`"left" = -1`)],
  'a use that brings tokens': [
    'CHECK constraint failed: ledger_sign',
    sql`INSERT INTO ledger VALUES ('x', 'x', 'use', 1, NULL, NULL, NULL, 'live', 1)`,
  ],
  'half a cent': [
    'CHECK constraint failed: owed_refunds_whole',
    set('owed_refunds', sql`amount_minor = 10.5`),
  ],
  'a second grant of a purchase': [
    'UNIQUE constraint failed: grants.purchase_id',
    [
      ...[captured, storePayment(unpaid, { paymentId: 'pay_2' })],
      ...[storeGrant({}), storeGrant({ payment: 'pay_2' })],
    ],
  ],
  'a second refund to be sent of a payment': [
    'UNIQUE constraint failed: owed_refunds.payment_id',
    [captured, owe(1), owe(1, { number: 1, reason: 'asked_for' })],
  ],
}

test.each(Object.entries(TABLES))('the tables reject %s', async (_, [constraint, tried]) => {
  expect(await attempt(tried)).toContain(constraint)
})
