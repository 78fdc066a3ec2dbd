import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createAccount, openAccount } from '#harness/fixture/account.ts'
import { createPurchase, paymentFor, refundOf } from '#harness/fixture/purchase.ts'
import { callOf, createFixture } from '#harness/fixture/fixture.ts'
import { adminLog } from '../../db/schema/admin.ts'
import { usageSessions } from '../../db/schema/tokens.ts'
import { factsOf } from '../ports/payments.ts'
import { settle } from '../purchase/settle.ts'
import { toIso } from '../time.ts'
import { readAccount } from '../session/account-query.ts'
import { exportData, exportTexts, listSubmissions } from './export-data.ts'
import { takeExport } from '#harness/fixture/take-export.ts'

test('an export holds money that was refunded or will be, and what our support did, without who did it', async () => {
  const fixture = createFixture()
  const ctx = fixture.ctx()
  const [buyer, other] = [await createAccount(ctx), await createAccount(ctx)]
  const paidBy = async ({ userId }: typeof buyer) => {
    const purchase = await createPurchase(ctx, userId, { country: 'DE' })
    const paid = paymentFor(purchase)
    const second = paymentFor(purchase)
    const refund = refundOf(paid, { amountMinor: 100, beganAt: ctx.now })
    await settle(ctx, purchase, factsOf({ payments: [paid] }))
    const later = factsOf({ payments: [second], refunds: [refund] })
    await settle(ctx, purchase, later)
    const done = { kind: 'suspend', userId, reason: 'Ticket 7', changes: '["Out."]' }
    const entry = { ...done, id: ctx.newId('act'), admin: 'ada@team.example', createdAt: ctx.now }
    await ctx.db.batch([ctx.db.insert(adminLog).values(entry)])
    return purchase.id
  }
  const purchaseId = await paidBy(buyer)
  await paidBy(other)
  const { data } = await takeExport(ctx, buyer)
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
  expect(JSON.stringify(data)).not.toContain('ada@team.example')
})

test('an export holds every row of a list that one statement cannot read', async () => {
  const { fixture, claims } = await openAccount()
  const ctx = fixture.ctx()
  const many = sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10001)`
  await ctx.db.batch([
    ctx.db.run(sql`
      INSERT INTO usage_sessions (user_id, session_id, mode, started_at) ${many}
      SELECT ${claims.userId}, 'session-' || i, 'interview', ${ctx.now} FROM n`),
    ctx.db.run(sql`
      INSERT INTO account_events (id, user_id, kind, detail, device, ip_prefix, created_at) ${many}
      SELECT ${claims.userId} || ':' || i, ${claims.userId}, 'sign_in_failed', '{}', '', '', ${ctx.now} FROM n`),
  ])
  const { data } = await takeExport(ctx, claims)
  expect(data['usageSessions']).toHaveLength(10_001)
  expect(data['events']).toHaveLength(10_002)
  expect(data['incomplete']).toEqual([])
})

test('an export of more rows than a Worker holds names the lists that it cut off', async () => {
  const { fixture, claims } = await openAccount()
  const ctx = fixture.ctx()
  const { userId } = claims
  const used = ['a', 'b', 'c', 'd', 'e', 'f'].map((sessionId) => ({
    userId,
    sessionId,
    mode: 'interview' as const,
    startedAt: ctx.now,
  }))
  await ctx.db.batch([ctx.db.insert(usageSessions).values(used)])
  const account = await readAccount(ctx, claims)
  const texts: string[] = []
  const size = { first: 2, page: 2, whole: 4 }
  for await (const text of exportTexts(ctx, account, { size })) texts.push(text)
  expect(texts.at(-1)).toBe(',"incomplete":["usageSessions"]}')
  const data = JSON.parse(texts.join(''))
  expect(data.usageSessions).toMatchObject(used.slice(0, 4).map(({ sessionId }) => ({ sessionId })))
})

test('what strangers sent in under an address is in its export: the newest hundred, the rest counted and read by page', async () => {
  const { fixture, claims } = await openAccount({ emailVerifiedAt: 1 })
  const ctx = fixture.ctx()
  await fixture.read(sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    INSERT INTO job_applications (id, job_id, full_name, email, phone, linkedin_url, github_url, resume_url,
      current_location, working_country, work_authorization, remote_preference, experience, why_join, created_at)
    SELECT ${claims.email} || i, 'job', 'A', ${claims.email}, '', '', '', '', '', '', '', '', '', printf('%.24000c', 'x'), i FROM n`)
  const { data } = await takeExport(ctx, claims)
  expect(data).toMatchObject({
    olderSubmissions: {
      jobApplications: { count: 900, firstAt: toIso(1), lastAt: toIso(900) },
      supportTickets: { count: 0, firstAt: null, lastAt: null },
    },
    incomplete: ['jobApplications'],
  })
  expect(data['jobApplications']).toHaveLength(100)
  const seen = new Set<unknown>()
  let before: number | null | undefined
  while (before !== null) {
    const query = { kind: 'jobApplications' as const, before }
    const page = await listSubmissions(ctx, { ...callOf(claims), query })
    for (const { id } of page.submissions) seen.add(id)
    before = page.nextBefore
  }
  expect(seen.size).toBe(1_000)
})

test('an export that fails in the middle breaks off, and what arrived is not JSON', async () => {
  const { fixture, claims } = await openAccount()
  let batches = 0
  const failing = createFixture({
    beforeBatch: () => {
      if ((batches += 1) > 2) throw new Error('the database went away')
    },
  })
  await fixture.read(sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
    INSERT INTO usage_sessions (user_id, session_id, mode, started_at)
    SELECT ${claims.userId}, i, 'interview', 1 FROM n`)
  const stream = await exportData(failing.ctx(), callOf(claims))
  let arrived = ''
  const reading = async () => {
    for await (const bytes of stream) arrived += new TextDecoder().decode(bytes)
  }
  await expect(reading()).rejects.toThrow('the database went away')
  expect(arrived).toContain('"usageSessions":[{')
  expect(() => JSON.parse(arrived)).toThrow('JSON')
  expect(failing.errors).toMatchObject([{ event: 'a stream broke off' }])
})
