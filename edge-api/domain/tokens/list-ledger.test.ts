import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { LedgerKind } from '../../../src/contract/usage.ts'
import { openPaid, PLAN_IN_INR } from '#harness/fixture/refund.ts'
import { callOf } from '#harness/fixture/fixture.ts'
import { listLedger } from './list-ledger.ts'

async function open() {
  const paid = await openPaid()
  const { fixture, claims } = paid
  const uses = [
    Date.UTC(2026, 9, 31, 23, 59, 59, 999),
    Date.UTC(2026, 10, 1),
    Date.UTC(2026, 11, 1),
  ]
  await fixture.read(sql`
    INSERT INTO ledger (ref, user_id, kind, tokens, payment_mode, created_at)
    SELECT 'use:' || value, ${claims.userId}, 'use', -1, 'emulator', value
    FROM json_each(${JSON.stringify(uses)})`)
  const list = async (query: {
    month?: string
    kind?: LedgerKind
    cursor?: string
    limit?: number
  }) => listLedger(fixture.ctx(), { ...callOf(claims), query: { limit: 20, ...query } })
  return { ...paid, list }
}

test('a month is in UTC, from its first millisecond to its last', async () => {
  const { list } = await open()
  const uses = async (month: string) => (await list({ month, kind: 'use' })).entries.length
  expect(await Promise.all(['2026-10', '2026-11', '2026-12', '2027-01'].map(uses))).toEqual([
    1, 1, 1, 0,
  ])
})

test('a kind is shown alone, page by page, with the bought item', async () => {
  const { list, purchase, requestAll } = await open()
  await requestAll()
  expect((await list({ kind: 'grant' })).entries).toMatchObject([
    { kind: 'grant', tokens: 1_000_000, item: 'Pro', purchaseId: purchase.id },
  ])
  expect((await list({ kind: 'reversal' })).entries).toMatchObject([
    { tokens: -999_997, item: 'Pro' },
  ])
  expect((await list({ kind: 'trial' })).entries).toEqual([])
  expect(await list({ kind: 'grant', limit: 1 })).toMatchObject({ nextCursor: null })
  const first = await list({ kind: 'use', limit: 2 })
  const rest = await list({ kind: 'use', limit: 2, cursor: first.nextCursor ?? '' })
  expect([first.entries.length, rest.entries.length, rest.nextCursor]).toEqual([2, 1, null])
})

test('a whole ledger has entries of each kind and how a use came about, but none of others or of another mode', async () => {
  const { fixture, claims, purchase, list } = await open()
  await openPaid(PLAN_IN_INR, fixture)
  const { userId } = claims
  await fixture.read(sql`UPDATE users SET email_verified_at = 1 WHERE id = ${userId}`)
  await fixture.read(sql`
    INSERT INTO ledger (ref, user_id, kind, tokens, payment_mode, created_at)
    VALUES (${`trial:${userId}`}, ${userId}, 'trial', 20000, 'live', 1)`)
  await fixture.read(sql`
    INSERT INTO ledger (ref, user_id, kind, tokens, usage_session_id, usage_mode, payment_mode, created_at)
    VALUES ('use:known', ${userId}, 'use', -2, 'call-1', 'meeting', 'emulator', 2),
      ('use:unknown', ${userId}, 'use', -3, NULL, 'juggling', 'emulator', 1)`)
  const { entries } = await list({})
  expect(entries).toHaveLength(6)
  expect(entries.find(({ kind }) => kind === 'grant')?.purchaseId).toBe(purchase.id)
  expect(entries.slice(-2)).toMatchObject([
    { kind: 'use', tokens: -2, item: null, sessionId: 'call-1', mode: 'meeting' },
    { kind: 'use', tokens: -3, item: null, sessionId: null, mode: null },
  ])
  const live = await listLedger(fixture.ctxOf('live'), { ...callOf(claims), query: { limit: 20 } })
  expect(live.entries).toMatchObject([{ kind: 'trial', tokens: 20_000, purchaseId: null }])
})

test('entries that are not uses are found by an index of their own', async () => {
  const { fixture, claims } = await open()
  const plan = await fixture.read(`
    EXPLAIN QUERY PLAN SELECT * FROM ledger WHERE user_id = '${claims.userId}' AND kind <> 'use'
      AND kind = 'grant' ORDER BY created_at DESC, ref DESC LIMIT 20`)
  expect(JSON.stringify(plan)).toContain('ledger_user_other')
})
