import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@libsql/client/http'
import { expect, test } from 'vitest'
import { databaseUrl } from '#harness/fixture/fixture.ts'
import { createPurchase, disputeOf, refundOf } from '#harness/fixture/purchase.ts'
import { openPaid } from '#harness/fixture/refund.ts'
import { failedChecks } from '../../tools/ops/verify-ledger.ts'

const migration = readFileSync(join(import.meta.dirname, 'migrations/0015_old_rows.sql'), 'utf8')

test('rows that earlier versions wrote become such as are written today, and nothing of what a buyer has or was shown changes', async () => {
  const { fixture, purchase, payment, report, outcome, use, requestAll } = await openPaid()
  const { paymentId } = payment
  const sent = (amountMinor: number, reason: string | null = null) =>
    refundOf(payment, { amountMinor, reason, beganAt: fixture.now() })
  const byHand = sent(500)
  const unlisted = sent(300)
  await report({ refunds: [byHand, unlisted] })
  await use(200_000)
  fixture.advance(120_000)
  const { amount } = await requestAll()
  fixture.advance(120_000)
  const given = sent(29_990)
  const requested = sent(amount, `refund-${paymentId}-1`)
  await report({ refunds: [given, requested] })
  const unordered = await createPurchase(fixture.ctx(), purchase.userId, { razorpayOrderId: null })

  // An admin gave 299.90, which was sent after the request, and 5.00 after a dispute was lost, which was refunded by hand. The
  // request knew what went back before it by Razorpay's sum alone.
  const { read } = fixture
  const dispute = disputeOf(payment, { amountMinor: 500, state: 'won', beganAt: 2 })
  await report({ disputes: [dispute] })
  const owed = (number: number, amountMinor: number, rest: string) => `
    INSERT INTO owed_refunds (payment_id, number, id, purchase_id, reason, amount_minor, created_at, refund_id, before, done_at)
    VALUES ('${paymentId}', ${number}, 'goodwill-${paymentId}-${number}-${amountMinor}', '${purchase.id}', 'goodwill', ${amountMinor},
      ${byHand.beganAt}, ${rest})`
  for (const statement of [
    'DROP INDEX owed_refunds_once',
    "CREATE UNIQUE INDEX owed_refunds_once ON owed_refunds (payment_id) WHERE reason <> 'goodwill'",
    `UPDATE owed_refunds SET number = 3, before = '[""]', refund_id = '${requested.id}'`,
    owed(1, 29_990, `'${given.id}', '[]', 1`),
    owed(2, 500, `NULL, '["${dispute.id}"]', NULL`),
    `UPDATE purchases SET status = 'creating' WHERE id = '${unordered.id}'`,
  ])
    await read(statement)

  const client = createClient({ url: databaseUrl() })
  const statements = migration.split('--> statement-breakpoint')
  const migrate = () => client.batch(statements, 'write')
  // Else each such row would cost a look at all refunds there are.
  const [table = '', check = ''] = statements
  const explained = [table, `EXPLAIN QUERY PLAN ${check}`, 'DROP TABLE refunds_under_way']
  const plan = JSON.stringify(await client.batch(explained, 'write'))
  expect(plan).toContain('refunds_and_disputes_payment (payment_id=?)')
  expect(plan).not.toContain('(kind=?)')
  await expect(migrate()).rejects.toThrow('an old refund is still under way')
  await read(`UPDATE owed_refunds SET done_at = 1 WHERE number = 2`)
  const shown = () =>
    Promise.all(
      ['ledger', 'balances', 'lots', 'receipts', 'credit_notes', 'payments', 'grants'].map(
        (table) => read(`SELECT * FROM ${table} ORDER BY rowid`),
      ),
    )
  const before = await shown()
  await migrate()
  client.close()
  expect(await shown()).toEqual(before)
  expect(await failedChecks(fixture.ctx())).toEqual([])
  expect(await outcome()).toMatchObject({
    status: 'refunded',
    pending: [{ reason: 'asked_for', isDone: true }],
  })
  const [deducted] = await read('SELECT before FROM owed_refunds')
  expect(JSON.parse(String(deducted?.['before'])).toSorted()).toEqual(
    [given.id, byHand.id, unlisted.id, dispute.id].toSorted(),
  )
  expect(await read(`SELECT * FROM purchases WHERE status = 'open'`)).toMatchObject([
    { id: unordered.id },
  ])

  // The refund by hand is not taken for the report of the loss, and one that fails is sent again.
  await report({ disputes: [{ ...dispute, state: 'lost', asOf: fixture.now() }] })
  await report({ refunds: [{ ...requested, state: 'failed' }] })
  expect(
    await read(`SELECT refunded_minor, lost_minor, pending_refund_minor FROM payments`),
  ).toEqual([{ refunded_minor: 30_790, lost_minor: 500, pending_refund_minor: amount }])
})
