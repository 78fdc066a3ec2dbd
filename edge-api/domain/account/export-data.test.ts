import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { createPurchase, paymentFor, refundOf } from '../../../tests/harness/world/purchase.ts'
import { callOf, createWorld } from '../../../tests/harness/world/world.ts'
import { usageSessions } from '../../db/schema/tokens.ts'
import { newEntry } from '../desk/planned-act.ts'
import { factsOf } from '../ports/payments.ts'
import { settle } from '../purchase/settle.ts'
import { toIso } from '../time.ts'
import { readAccount } from './account-query.ts'
import { exportData, toExport } from './export-data.ts'

test('an export holds money that went back or is owed, and what our support did, without who did it', async () => {
  const world = createWorld()
  const ctx = world.ctx()
  const [buyer, other] = [await createAccount(ctx), await createAccount(ctx)]
  const paidBy = async ({ userId }: typeof buyer) => {
    const purchase = await createPurchase(ctx, userId, { country: 'DE' })
    const paid = paymentFor(purchase)
    const second = paymentFor(purchase)
    const refund = refundOf(paid, { amountMinor: 100, beganAt: ctx.now })
    await settle(ctx, purchase, factsOf({ payments: [paid] }))
    const later = factsOf({ payments: [second], refundsAndDisputes: [refund] })
    await settle(ctx, purchase, later)
    const done = { kind: 'suspend', userId, reason: 'Ticket 7', changes: ['Out.'] }
    await ctx.db.batch([newEntry(ctx, 'usr_of_operator', done).write()])
    return purchase.id
  }
  const purchaseId = await paidBy(buyer)
  await paidBy(other)
  const { data } = await exportData(ctx, callOf(buyer))
  expect(data).toMatchObject({
    creditNotes: [{ purchaseId, amountMinor: 100 }],
    owedRefunds: [{ purchaseId, reason: 'excess' }],
    actsOfSupport: [{ kind: 'suspend', reason: 'Ticket 7', changes: '["Out."]' }],
    payments: [{ purchaseId }, { purchaseId }],
    purchases: [{ id: purchaseId, country: 'DE', billing: null }],
    refundsAndDisputes: [{ kind: 'refund', amountMinor: 100 }],
    mails: expect.arrayContaining([
      { kind: 'receipt', toAddress: buyer.email, createdAt: toIso(ctx.now), sentAt: null },
    ]),
  })
  expect(JSON.stringify(data)).not.toContain('usr_of_operator')
})

test('an export holds every row of a list that one statement cannot read', async () => {
  const world = createWorld()
  const ctx = world.ctx()
  const claims = await createAccount(ctx)
  const many = sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10001)`
  await ctx.db.batch([
    ctx.db.run(sql`
      INSERT INTO usage_sessions (user_id, session_id, mode, started_at) ${many}
      SELECT ${claims.userId}, 'session-' || i, 'interview', ${ctx.now} FROM n`),
    ctx.db.run(sql`
      INSERT INTO account_events (id, user_id, kind, detail, device, ip_prefix, created_at) ${many}
      SELECT ${claims.userId} || ':' || i, ${claims.userId}, 'sign_in_failed', '{}', '', '', ${ctx.now} FROM n`),
  ])
  const { data } = await exportData(ctx, callOf(claims))
  expect(data['usageSessions']).toHaveLength(10_001)
  expect(data['events']).toHaveLength(10_002)
  expect(data['incomplete']).toEqual([])
})

test('an export of more rows than a Worker holds names the lists that it cut off', async () => {
  const world = createWorld()
  const ctx = world.ctx()
  const claims = await createAccount(ctx)
  const { userId } = claims
  const used = ['a', 'b', 'c', 'd', 'e', 'f'].map((sessionId) => ({
    userId,
    sessionId,
    mode: 'interview' as const,
    startedAt: ctx.now,
  }))
  await ctx.db.batch([ctx.db.insert(usageSessions).values(used)])
  const account = await readAccount(ctx, claims)
  const data = await toExport(ctx, account, { size: { part: 2, whole: 4 } })
  expect(data).toMatchObject({
    incomplete: ['usageSessions'],
    usageSessions: used.slice(0, 4).map(({ sessionId }) => ({ sessionId })),
  })
})
