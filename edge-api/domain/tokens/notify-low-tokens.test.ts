import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { grantStatements } from '../../../tests/harness/holding.ts'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { memoryWorld, type MemoryWorld } from '../../../tests/harness/world/memory-world.ts'
import type { users } from '../../db/schema/users.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { hasFallenLow, notifyLowTokens, resetLowTokens } from './notify-low-tokens.ts'

async function buy(world: MemoryWorld, userId: string, tokens: number) {
  const ctx = world.ctx()
  const buyer = { id: userId, username: 'ada', email: 'ada@example.test' }
  const [first, ...rest] = grantStatements(ctx, buyer, { tokens })
  if (first !== undefined) await ctx.db.batch([first, ...rest])
}

async function use(world: MemoryWorld, userId: string, tokens: number) {
  const { db, newId } = world.ctx()
  await db.batch([
    db.run(sql`
      INSERT INTO ledger (ref, user_id, kind, tokens, payment_mode, created_at)
      VALUES (${newId('use')}, ${userId}, 'use', ${-tokens}, 'emulator', 1)`),
  ])
}

/** A new account with so many tokens in the emulator's mode, of which so many were used. */
async function member(
  world: MemoryWorld,
  [total, used]: readonly [number, number],
  options: Partial<typeof users.$inferInsert> = {},
) {
  world.advance(1_000)
  const { userId } = await createAccount(world.ctx(), options)
  await buy(world, userId, total)
  await use(world, userId, used)
  return userId
}

const FEW = [100_000, 90_001] as const

const told = (world: MemoryWorld) => ({
  notices: world.read(`SELECT user_id, detail FROM account_events WHERE kind = 'tokens_low'`),
  mails: world.read(`SELECT user_id, to_address, sent_at FROM mails`),
  notedFor: world.read('SELECT user_id FROM balances WHERE low_notified_total <> 0'),
})
const NOBODY = { notices: [], mails: [], notedFor: [] }

test('of 100,000 tokens 10,000 are enough and 9,999 are few: that user alone is told, at once and once', async () => {
  const world = memoryWorld()
  await member(world, FEW)
  const userId = await member(world, [100_000, 90_000], { email: 'me@example.test' })
  await member(world, FEW)
  await notifyLowTokens(world.ctx(), userId)
  expect(told(world)).toEqual(NOBODY)
  await use(world, userId, 1)
  await notifyLowTokens(world.ctx(), userId)
  const once = {
    notices: [{ user_id: userId, detail: '{"left":9999}' }],
    mails: [{ user_id: userId, to_address: 'me@example.test', sent_at: world.now() }],
    notedFor: [{ user_id: userId }],
  }
  expect(told(world)).toEqual(once)
  await notifyLowTokens(world.ctx(), userId)
  expect(told(world)).toEqual(once)
})

test('nobody is told of another payment mode or of a deleted account', async () => {
  const world = memoryWorld()
  const userId = await member(world, FEW)
  await notifyLowTokens(world.ctxOf('live'), userId)
  await notifyLowTokens(world.ctx(), await member(world, FEW, { deletedAt: 1 }))
  expect(told(world)).toEqual(NOBODY)
})

test('who wants no reminders is told by a notice alone, and no other mail is sent with it', async () => {
  const world = memoryWorld()
  const userId = await member(world, FEW, { mailReminders: false })
  const other = { kind: 'tokens_low', payload: {}, to: 'eve@example.test', userId: null } as const
  const { db } = world.ctx()
  await db.batch([enqueueMail(world.ctx(), other)])
  await notifyLowTokens(world.ctx(), userId)
  expect(told(world)).toMatchObject({
    notices: [{ user_id: userId }],
    mails: [{ to_address: 'eve@example.test', sent_at: null }],
  })
})

test('only a use of the own tokens, once there are enough, lets the next fall notify', async () => {
  const world = memoryWorld()
  const userId = await member(world, [1, 1])
  const stranger = await member(world, FEW)
  await notifyLowTokens(world.ctx(), userId)
  const notedTotal = async (ctx = world.ctx(), id = userId) => {
    await ctx.db.batch([resetLowTokens(ctx, id)])
    return world.read(`SELECT low_notified_total AS n FROM balances WHERE user_id = '${userId}'`)
  }
  expect(await notedTotal()).toEqual([{ n: 1 }])
  await buy(world, userId, 1_000)
  expect(await notedTotal(world.ctx(), stranger)).toEqual([{ n: 1 }])
  expect(await notedTotal(world.ctxOf('live'))).toEqual([{ n: 1 }])
  expect(await notedTotal()).toEqual([{ n: 0 }])
})

test.each([
  [90_000, 0, false],
  [90_001, 0, true],
  [90_001, 100_000, false],
])('with %i of 100,000 used and %i noted before, a balance has fallen: %s', (used, noted, has) => {
  expect(hasFallenLow({ used, total: 100_000, lowNotifiedTotal: noted })).toBe(has)
})
