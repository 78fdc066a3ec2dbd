import { changeRows, mailsOf, eventKindsOf } from '#harness/fixture/rows.ts'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { MAIN_PLAN } from '../../../src/contract/catalogue.ts'
import { grant } from '#harness/entitlement.ts'
import { callOf, type Fixture } from '#harness/fixture/fixture.ts'
import { openAccount } from '#harness/fixture/account.ts'
import { users } from '../../db/schema/users.ts'
import type { Claims } from '../context.ts'
import { notifyLowTokens } from './notify-low-tokens.ts'
import { useTokens } from './use-tokens.ts'

async function user(options: Partial<typeof users.$inferInsert> = {}) {
  const { fixture, claims } = await openAccount(options)
  await grant(fixture.ctx(), claims.userId, { tokens: 1_000 })
  return { fixture, claims }
}

const spend = (
  fixture: Fixture,
  claims: Claims,
  amount: number,
  idempotencyKey: string | null = null,
) => useTokens(fixture.ctx(), { ...callOf(claims), body: { amount }, idempotencyKey })

async function notificationsOf(fixture: Fixture, { userId }: Claims) {
  await fixture.drain()
  const mails = await mailsOf(fixture.ctx(), userId)
  return {
    notices: await eventKindsOf(fixture.ctx(), userId),
    mails: mails.map(({ kind }) => kind),
  }
}

const ONCE = { notices: ['tokens_low'], mails: ['tokens_low'] }
const TWICE = { notices: ['tokens_low', 'tokens_low'], mails: ['tokens_low', 'tokens_low'] }

test('below a tenth of the tokens the user is notified once, by notice and by mail', async () => {
  const { fixture, claims } = await user()
  await spend(fixture, claims, 900)
  expect(await notificationsOf(fixture, claims)).toEqual({ notices: [], mails: [] })
  await Promise.all(Array.from({ length: 20 }, () => spend(fixture, claims, 1, 'once')))
  expect(await notificationsOf(fixture, claims)).toEqual(ONCE)
  await Promise.all([1, 2, 3].map(() => spend(fixture, claims, 5)))
  expect(await notificationsOf(fixture, claims)).toEqual(ONCE)
})

test('a user who bought more is notified of the next fall, even when one use takes all', async () => {
  const { fixture, claims } = await user()
  await spend(fixture, claims, 950)
  await fixture.drain()
  await grant(fixture.ctx(), claims.userId, { tokens: 1_000 })
  expect(await notificationsOf(fixture, claims)).toEqual(ONCE)
  await spend(fixture, claims, 1_000)
  expect(await notificationsOf(fixture, claims)).toEqual(TWICE)
})

test('a purchase that leaves the tokens low does not notify again', async () => {
  const { fixture, claims } = await user()
  await spend(fixture, claims, 1_000)
  await fixture.drain()
  await grant(fixture.ctx(), claims.userId, { tokens: 50 })
  await spend(fixture, claims, 1)
  expect(await notificationsOf(fixture, claims)).toEqual(ONCE)
})

test('a user who bought many times is notified again at a tenth of the last plan', async () => {
  const { fixture, claims } = await user()
  await grant(fixture.ctx(), claims.userId, { tokens: 20 * MAIN_PLAN.tokens })
  await spend(fixture, claims, 20 * MAIN_PLAN.tokens)
  await fixture.drain()
  await grant(fixture.ctx(), claims.userId, { tokens: MAIN_PLAN.tokens })
  await spend(fixture, claims, 1)
  expect(await notificationsOf(fixture, claims)).toEqual(ONCE)
  await spend(fixture, claims, MAIN_PLAN.tokens)
  expect(await notificationsOf(fixture, claims)).toEqual(TWICE)
})

test('a user who switched reminders off gets the notice and no mail, then or later', async () => {
  const { fixture, claims } = await user({ mailReminders: false })
  await spend(fixture, claims, 950)
  await fixture.drain()
  await changeRows(fixture.ctx().db, users, { mailReminders: true }, eq(users.id, claims.userId))
  await spend(fixture, claims, 1)
  expect(await notificationsOf(fixture, claims)).toEqual({ notices: ['tokens_low'], mails: [] })
})

test('no notice is about another payment mode or a deleted account', async () => {
  const { fixture, claims } = await user()
  const { userId } = claims
  await spend(fixture, claims, 950)
  await notifyLowTokens({ ...fixture.ctx(), paymentMode: 'live' }, userId)
  await fixture.read(sql`UPDATE users SET deleted_at = 1 WHERE id = ${userId}`)
  await notifyLowTokens(fixture.ctx(), userId)
  expect(await notificationsOf(fixture, claims)).toEqual({ notices: [], mails: [] })
  const noted = sql`SELECT 1 FROM balances WHERE user_id = ${userId} AND low_notified_total <> 0`
  expect(await fixture.read(noted)).toEqual([])
})
