import { changeRows } from '../../../tests/harness/world/rows.ts'
import { asc, eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { MAIN_PLAN } from '../../../src/contract/catalogue.ts'
import { grant } from '../../../tests/harness/holding.ts'
import { callOf, type World } from '../../../tests/harness/world/world.ts'
import { openAccount } from '../../../tests/harness/world/account.ts'
import { accountEvents, mails } from '../../db/schema/records.ts'
import { users } from '../../db/schema/users.ts'
import type { Claims } from '../account/signed.ts'
import { notifyLowTokens } from './notify-low-tokens.ts'
import { useTokens } from './use-tokens.ts'

async function member(options: Partial<typeof users.$inferInsert> = {}) {
  const { world, claims } = await openAccount(options)
  await grant(world.ctx(), claims.userId, { tokens: 1_000 })
  return { world, claims }
}

const spend = (
  world: World,
  claims: Claims,
  amount: number,
  idempotencyKey: string | null = null,
) => useTokens(world.ctx(), { ...callOf(claims), body: { amount }, idempotencyKey })

async function notificationsOf(world: World, { userId }: Claims) {
  await world.drain()
  const { db } = world.ctx()
  const { notices, sent } = await db.batch({
    notices: db.select().from(accountEvents).where(eq(accountEvents.userId, userId)),
    sent: db.select().from(mails).where(eq(mails.userId, userId)).orderBy(asc(mails.createdAt)),
  })
  return {
    notices: notices.map(({ kind }) => kind),
    mails: sent.map(({ kind, toAddress }) => ({ kind, toAddress })),
  }
}

test('below a tenth of the tokens the user is notified once, by notice and by mail', async () => {
  const { world, claims } = await member()
  await spend(world, claims, 900)
  expect(await notificationsOf(world, claims)).toEqual({ notices: [], mails: [] })
  await Promise.all(Array.from({ length: 20 }, () => spend(world, claims, 1, 'once')))
  const once = {
    notices: ['tokens_low'],
    mails: [{ kind: 'tokens_low', toAddress: expect.stringContaining('@example.test') }],
  }
  expect(await notificationsOf(world, claims)).toEqual(once)
  await Promise.all([1, 2, 3].map(() => spend(world, claims, 5)))
  expect(await notificationsOf(world, claims)).toEqual(once)
})

test('a user who bought more is notified of the next fall, even when one use takes all', async () => {
  const { world, claims } = await member()
  await spend(world, claims, 950)
  await world.drain()
  await grant(world.ctx(), claims.userId, { tokens: 1_000 })
  expect((await notificationsOf(world, claims)).mails).toHaveLength(1)
  await spend(world, claims, 1_000)
  expect(await notificationsOf(world, claims)).toMatchObject({
    notices: ['tokens_low', 'tokens_low'],
    mails: [{ kind: 'tokens_low' }, { kind: 'tokens_low' }],
  })
})

test('a purchase that leaves the tokens low does not notify again', async () => {
  const { world, claims } = await member()
  await spend(world, claims, 1_000)
  await world.drain()
  await grant(world.ctx(), claims.userId, { tokens: 50 })
  await spend(world, claims, 1)
  expect((await notificationsOf(world, claims)).mails).toHaveLength(1)
})

test('who bought many times is notified of the last plan’s tenth again', async () => {
  const { world, claims } = await member()
  await grant(world.ctx(), claims.userId, { tokens: 20 * MAIN_PLAN.tokens })
  await spend(world, claims, 20 * MAIN_PLAN.tokens)
  await world.drain()
  await grant(world.ctx(), claims.userId, { tokens: MAIN_PLAN.tokens })
  await spend(world, claims, 1)
  expect((await notificationsOf(world, claims)).mails).toHaveLength(1)
  await spend(world, claims, MAIN_PLAN.tokens)
  expect((await notificationsOf(world, claims)).mails).toHaveLength(2)
})

test('a user who switched reminders off gets the notice and no mail, then or later', async () => {
  const { world, claims } = await member({ mailReminders: false })
  await spend(world, claims, 950)
  await world.drain()
  await changeRows(world.ctx().db, users, { mailReminders: true }, eq(users.id, claims.userId))
  await spend(world, claims, 1)
  expect(await notificationsOf(world, claims)).toEqual({ notices: ['tokens_low'], mails: [] })
})

test('no notice is about another payment mode or a deleted account', async () => {
  const { world, claims } = await member()
  const { userId } = claims
  await spend(world, claims, 950)
  await notifyLowTokens({ ...world.ctx(), paymentMode: 'live' }, userId)
  await world.read(sql`UPDATE users SET deleted_at = 1 WHERE id = ${userId}`)
  await notifyLowTokens(world.ctx(), userId)
  expect(await notificationsOf(world, claims)).toEqual({ notices: [], mails: [] })
  const noted = sql`SELECT 1 FROM balances WHERE user_id = ${userId} AND low_notified_total <> 0`
  expect(await world.read(noted)).toEqual([])
})
