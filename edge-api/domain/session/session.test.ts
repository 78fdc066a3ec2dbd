import { approveDevice } from '#harness/fixture/device.ts'
import { newLink, rowsOf } from '#harness/fixture/rows.ts'
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createAccount, openAccount, openSession, fixtureWith } from '#harness/fixture/account.ts'
import {
  callOf,
  createFixture,
  NO_INPUT,
  START_MS,
  type Fixture,
} from '#harness/fixture/fixture.ts'
import { deviceRequests, mailedLinks, sessions, signInTickets } from '../../db/schema/sessions.ts'
import type { Context, Claims } from '../context.ts'
import { logout } from './end-session.ts'
import { listSessions } from './list-sessions.ts'
import { days, minutes, toIso } from '../time.ts'
import { recordUsageSession } from '../tokens/record-usage-session.ts'
import { useTokens } from '../tokens/use-tokens.ts'
import { me } from '../profile/me.ts'
import { endAccess, insertSession, isOpen, isOpenSession, newSession } from './session.ts'

test('using the session of a browser does not extend it', async () => {
  const { fixture, claims } = await openAccount()
  const call = callOf(claims)
  const { session } = await me(fixture.ctx(), call)
  expect(session).toEqual({ kind: 'browser', expiresAt: toIso(fixture.now() + days(30)) })
  for (const later of [1, 14, 14]) {
    fixture.advance(days(later))
    expect((await me(fixture.ctx(), call)).session).toEqual(session)
  }
  fixture.advance(days(1) - minutes(1))
  expect((await me(fixture.ctx(), call)).success).toBe(true)
  await fixture.drain()
  fixture.advance(minutes(1))
  await expect(me(fixture.ctx(), call)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
})

test('the open sessions are listed, the last used first', async () => {
  const { fixture, claims } = await openAccount()
  const { userId } = claims
  fixture.advance(minutes(1))
  const [app, ended] = [
    await openSession(fixture.ctx(), userId),
    await openSession(fixture.ctx(), userId),
  ]
  fixture.advance(minutes(10))
  await logout(fixture.ctx(), callOf(ended))
  const listed = async () =>
    (await listSessions(fixture.ctx(), callOf(claims))).sessions.map(({ id }) => id)
  expect(await listed()).toEqual([app.sessionId, claims.sessionId])
  await me(fixture.ctx(), callOf(claims))
  await fixture.drain()
  expect(await listed()).toEqual([claims.sessionId, app.sessionId])
})

/** The claims of a desktop app that has just signed in. */
async function signInApp(fixture: Fixture): Promise<Claims> {
  const ctx = fixture.ctx()
  const { userId, sessionId } = await createAccount(ctx)
  const row = newSession(ctx, { userId, kind: 'desktop', isRemembered: true })
  await ctx.db.batch([insertSession(ctx, row)])
  return { userId, sessionId: row.id, approvedBy: sessionId }
}

/** When the caller's session ends, in days from now, once all work after the answer is done. */
async function daysLeft(fixture: Fixture, claims: Claims): Promise<number> {
  const { session } = await me(fixture.ctx(), callOf(claims))
  await fixture.drain()
  return (Date.parse(session.expiresAt) - fixture.now()) / days(1)
}

test('the session of an app ends 90 days after its last use', async () => {
  const [fixture, claims] = await fixtureWith(signInApp)
  expect(await daysLeft(fixture, claims)).toBe(90)
  fixture.advance(days(89))
  expect(await daysLeft(fixture, claims)).toBe(90)
  fixture.advance(days(90) - minutes(1))
  expect(await daysLeft(fixture, claims)).toBe(90)
  fixture.advance(days(90))
  await expect(daysLeft(fixture, claims)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
})

test('the session of an app ends a year after the sign-in, and says so from the day when use no longer moves it', async () => {
  const [fixture, claims] = await fixtureWith(signInApp)
  const left: number[] = []
  for (let day = 0; day < 360; day += 40) {
    left.push(await daysLeft(fixture, claims))
    fixture.advance(days(40))
  }
  expect(left).toEqual([90, 90, 90, 90, 90, 90, 90, 85, 45])
  fixture.advance(days(5) - minutes(1))
  expect(await daysLeft(fixture, claims)).toBeGreaterThan(0)
  fixture.advance(minutes(1))
  await expect(daysLeft(fixture, claims)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
})

test('use does not reopen a session that its user has ended', async () => {
  const [fixture, claims] = await fixtureWith(signInApp)
  fixture.advance(days(1))
  // Records the use only after the session's end.
  await me(fixture.ctx(), callOf(claims))
  await fixture.read(sql`UPDATE sessions SET ended_at = 1 WHERE id = ${claims.sessionId}`)
  await fixture.drain()
  await expect(daysLeft(fixture, claims)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
})

test('reporting usage moves the time when a session was last used', async () => {
  const { fixture, claims } = await openAccount()
  const lastUsed = async () => {
    await fixture.drain()
    const rows = await rowsOf(fixture.ctx().db, sessions, eq(sessions.id, claims.sessionId))
    return rows[0]?.lastUsedAt
  }
  fixture.advance(minutes(6))
  const start = { event: 'start', sessionId: 'session-1', mode: 'meeting' } as const
  await recordUsageSession(fixture.ctx(), { ...NO_INPUT, claims, body: start })
  expect(await lastUsed()).toBe(fixture.now())
  fixture.advance(minutes(6))
  const use = useTokens(fixture.ctx(), { ...NO_INPUT, claims, body: { amount: 1 } })
  await expect(use).rejects.toMatchObject({ code: 'INSUFFICIENT_TOKENS' })
  expect(await lastUsed()).toBe(fixture.now())
})

const closings: Record<string, (claims: Claims) => SQL> = {
  ended: ({ sessionId }) => sql`UPDATE sessions SET ended_at = 1 WHERE id = ${sessionId}`,
  expired: ({ sessionId }) =>
    sql`UPDATE sessions SET expires_at = ${START_MS} WHERE id = ${sessionId}`,
  'of a deleted account': ({ userId }) => sql`UPDATE users SET deleted_at = 1 WHERE id = ${userId}`,
  'of a suspended account': ({ userId }) =>
    sql`UPDATE users SET suspended_at = 1 WHERE id = ${userId}`,
}

async function isOpenNow(ctx: Context, claims: Claims): Promise<boolean> {
  const isOpen = isOpenSession({ ...claims, now: ctx.now })
  const [[row]] = await ctx.db.batch([ctx.db.all<{ is: number }>(sql`SELECT ${isOpen} AS "is"`)])
  return row?.is === 1
}

test.each(Object.entries(closings))('a session that is %s is not open', async (_what, close) => {
  const { fixture, claims } = await openAccount()
  const other = await createAccount(fixture.ctx())
  expect(await isOpenNow(fixture.ctx(), claims)).toBe(true)
  await fixture.read(close(claims))
  expect(await isOpenNow(fixture.ctx(), claims)).toBe(false)
  expect(await isOpenNow(fixture.ctx(), other)).toBe(true)
  const { userId } = claims
  expect(await isOpenNow(fixture.ctx(), { ...other, userId }), 'of another account').toBe(false)
})

/** An account with two sessions, and one of each thing that could become a session. */
async function withEveryAccess({ ctx }: Fixture) {
  const claims = await createAccount(ctx())
  const { userId } = claims
  const other = await openSession(ctx(), userId)
  // Its mail has a link that says "This was not me".
  await approveDevice(ctx(), claims)
  for (const purpose of ['reset', 'refund'] as const) await newLink(ctx(), userId, purpose)
  const times = { createdAt: ctx().now, expiresAt: ctx().now + days(1) }
  const code = {
    ticketHash: `code ${userId}`,
    userId,
    purpose: 'google',
    isRemembered: false,
  } as const
  await ctx().db.batch([
    ctx()
      .db.insert(signInTickets)
      .values({ ...code, ...times }),
  ])
  return { claims, other }
}

const ALL_ACCESS = { codes: 1, tickets: 1, links: ['not_me', 'refund', 'reset'] }

/** What still lets somebody in to an account. */
async function accessLeft({ db, now }: Context, userId: string) {
  const open = await rowsOf(db, sessions, and(eq(sessions.userId, userId), isOpen(now)))
  const isValid = and(eq(mailedLinks.userId, userId), isNull(mailedLinks.voidedAt))
  const links = await rowsOf(db, mailedLinks, isValid)
  return {
    sessions: open.map(({ id }) => id),
    codes: (await rowsOf(db, deviceRequests, eq(deviceRequests.userId, userId))).length,
    tickets: (await rowsOf(db, signInTickets, eq(signInTickets.userId, userId))).length,
    links: links.map(({ purpose }) => purpose).toSorted(),
  }
}

test('ending the access to an account leaves the links with which its user defends it', async () => {
  const fixture = createFixture()
  const { claims, other } = await withEveryAccess(fixture)
  const bystander = await withEveryAccess(fixture)
  const ctx = fixture.ctx()
  await ctx.db.batch(endAccess(ctx, { userId: claims.userId, except: claims.sessionId }))
  const left = { codes: 0, tickets: 0, links: ['not_me', 'refund'] }
  expect(await accessLeft(ctx, claims.userId)).toEqual({ ...left, sessions: [claims.sessionId] })
  await ctx.db.batch(endAccess(ctx, { userId: claims.userId, links: 'all' }))
  expect(await accessLeft(ctx, claims.userId)).toEqual({ ...left, sessions: [], links: ['not_me'] })
  expect(await isOpenNow(ctx, other)).toBe(false)
  expect(await accessLeft(ctx, bystander.claims.userId)).toMatchObject(ALL_ACCESS)
})

test('access does not end where the condition is false', async () => {
  const fixture = createFixture()
  const { claims } = await withEveryAccess(fixture)
  const ctx = fixture.ctx()
  await ctx.db.batch(endAccess(ctx, { userId: claims.userId, when: sql`false` }))
  const { sessions: open, ...others } = await accessLeft(ctx, claims.userId)
  expect(open).toHaveLength(2)
  expect(others).toEqual(ALL_ACCESS)
})
