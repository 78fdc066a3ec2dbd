import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { memoryWorld } from '../../../tests/harness/world/memory-world.ts'
import { openTampering, providerId } from '../../../tests/harness/world/purchase.ts'

/** What each table's guard says, and the columns that it leaves alone: other guards and the code look after them. */
const FIXED = {
  purchases: {
    refusal: 'a purchase cannot be changed',
    free: [
      ...['status', 'link_url', 'link_expires_at', 'proven_at', 'paid_at', 'cancelled_at'],
      ...['updated_at', 'next_check_at', 'check_count'],
    ],
  },
  payments: {
    refusal: 'a payment only moves forward',
    free: [
      ...['rank', 'amount_refunded_minor', 'base_amount_minor', 'base_currency', 'method'],
      ...['error_reason', 'conflict_at', 'created_at', 'updated_at'],
    ],
  },
  refunds_and_disputes: {
    refusal: 'a refund or dispute only moves forward',
    free: [
      ...['amount_minor', 'currency', 'state', 'phase', 'respond_by', 'began_at', 'as_of'],
      ...['created_at', 'updated_at'],
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

/** A purchase with everything a purchase can have, in a database of its own. */
async function open() {
  const world = memoryWorld()
  const tampering = await openTampering(world)
  await tampering.attempt(
    sql`UPDATE purchases SET razorpay_link_id = ${providerId('plink')},
      razorpay_link_order_id = ${providerId('order')} WHERE id = ${tampering.purchase.id}`,
  )
  return { ...tampering, read: world.read }
}

test.each(Object.entries(FIXED))(
  'no column of %s changes but those that are free to',
  async (table, { refusal, free }) => {
    const { attempt, read } = await open()
    const columns = read(`SELECT name, type FROM pragma_table_info('${table}')`)
    const fixed = columns.filter(({ name }) => !free.some((one) => one === name))
    expect(columns.length - fixed.length).toBe(free.length)
    for (const { name, type } of fixed) {
      const column = sql.identifier(String(name))
      const other = type === 'integer' ? sql`${column} + 1` : sql`coalesce(${column}, '') || 'x'`
      const change = sql`UPDATE ${sql.identifier(table)} SET ${column} = ${other}
        WHERE rowid = (SELECT min(rowid) FROM ${sql.identifier(table)})`
      await expect(attempt(change), String(name)).rejects.toThrow(refusal)
    }
  },
)

test('an id that a purchase has at Razorpay does not change, one that it lacks may come', async () => {
  const { attempt, unpaid } = await open()
  const set = (column: string, value: string) =>
    attempt(sql`UPDATE purchases SET ${sql.identifier(column)} = ${value} WHERE id = ${unpaid.id}`)
  for (const column of ['razorpay_link_id', 'razorpay_link_order_id']) {
    await set(column, `${column} 1`)
    await expect(set(column, `${column} 2`)).rejects.toThrow('a purchase cannot be changed')
  }
})
