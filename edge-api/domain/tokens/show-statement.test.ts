import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openPaid } from '#harness/fixture/refund.ts'
import { callOf } from '#harness/fixture/fixture.ts'
import { ledgerFileEndpoint } from '../../../src/contract/usage.ts'
import { ledgerFile } from './list-ledger.ts'
import { showStatement } from './show-statement.ts'

const OCTOBER_END = Date.UTC(2026, 9, 31, 23, 59, 59, 999)
const NOVEMBER = Date.UTC(2026, 10, 1)
const DECEMBER = Date.UTC(2026, 11, 1)

async function open() {
  const { fixture, claims } = await openPaid()
  const uses = [
    ['a', -1, 'call-1', 'sales', OCTOBER_END],
    ['b', -10, 'call-1', 'sales', NOVEMBER],
    ['c', -20, 'call-2', 'meeting', NOVEMBER + 1],
    ['d', -30, 'call-1', 'sales', NOVEMBER + 2],
    ['e', -40, null, null, NOVEMBER + 3],
    ['f', -50, 'call-1', 'sales', DECEMBER],
  ]
  await fixture.read(sql`
    INSERT INTO ledger (ref, user_id, kind, tokens, usage_session_id, usage_mode, payment_mode, created_at)
    SELECT 'use:' || (value ->> 0), ${claims.userId}, 'use', value ->> 1, value ->> 2, value ->> 3, 'emulator', value ->> 4
    FROM json_each(${JSON.stringify(uses)})`)
  const statement = async (month?: string, cursor?: string) =>
    showStatement(fixture.ctx(), { ...callOf(claims), query: { month, cursor } })
  return { fixture, claims, statement }
}

test('a month has the balance before and after it, and a line for each session', async () => {
  const { fixture, statement } = await open()
  const november = await statement('2026-11')
  expect(november).toMatchObject({
    ...{ month: '2026-11', used: 100, isWhole: true },
    currentMonth: new Date(fixture.now()).toISOString().slice(0, 7),
    byMode: { interview: 0, meeting: 20, sales: 40, negotiation: 0 },
  })
  const uses = november.lines.filter(({ kind }) => kind === 'use')
  expect(
    uses.map(({ tokens, count, sessionId, mode }) => [tokens, count, sessionId, mode]),
  ).toEqual([
    [-40, 1, null, null],
    [-40, 2, 'call-1', 'sales'],
    [-20, 1, 'call-2', 'meeting'],
  ])
  expect(uses[1]).toMatchObject({
    firstAt: '2026-11-01T00:00:00.000Z',
    createdAt: '2026-11-01T00:00:00.002Z',
  })
})

test('each month begins with what the month before it left, and the newest ends with what is left now', async () => {
  const { statement } = await open()
  const months = await Promise.all(
    ['2026-10', '2026-11', '2026-12', '2027-01'].map((month) => statement(month)),
  )
  for (const [index, { opening }] of months.slice(1).entries()) {
    expect(opening).toBe(months[index]?.closing)
  }
  for (const { opening, closing, lines } of months) {
    expect(closing - opening).toBe(lines.reduce((sum, { tokens }) => sum + tokens, 0))
  }
  expect(months.map(({ used }) => used)).toEqual([1, 100, 50, 0])
  expect(months.at(-1)?.closing).toBe(1_000_000 - 151)
})

test('a month of many entries comes in pages that miss none and repeat none, and its file is whole', async () => {
  const { fixture, claims, statement } = await open()
  await fixture.read(sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
    INSERT INTO ledger (ref, user_id, kind, tokens, payment_mode, created_at)
    SELECT 'use:' || i, ${claims.userId}, 'use', -1, 'emulator', ${OCTOBER_END} - i / 7 FROM n`)
  const first = await statement('2026-10')
  const pages = [first]
  for (let cursor = first.nextCursor; cursor !== null; cursor = pages.at(-1)?.nextCursor ?? null) {
    pages.push(await statement('2026-10', cursor))
  }
  expect(pages.map(({ isWhole }) => isWhole)).toEqual([false, false, true])
  const lines = pages.flatMap((page) => page.lines)
  expect(lines.reduce((sum, { count }) => sum + count, 0)).toBe(2_501)
  expect(lines.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(-2_501)
  expect(
    new Set(pages.map(({ opening, closing, used }) => `${opening} ${closing} ${used}`)).size,
  ).toBe(1)
  const stream = await ledgerFile(fixture.ctx(), { ...callOf(claims), query: { month: '2026-10' } })
  const { csv } = ledgerFileEndpoint.success.parse(await new Response(stream).json())
  const rows = csv.trim().split('\r\n')
  expect([rows.length, new Set(rows).size]).toEqual([2_502, 2_502])
})
