import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { callOf, createWorld, type World } from '../../../tests/harness/world/world.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { days, minutes, toIso } from '../time.ts'
import type { Claims } from './bearer.ts'
import { me } from './me.ts'
import { insertSession, newSession } from './open-session.ts'

test('using the session of a browser does not extend it', async () => {
  const world = createWorld()
  const claims = await createAccount(world.ctx())
  const call = callOf(claims)
  const { session } = await me(world.ctx(), call)
  expect(session).toEqual({ kind: 'browser', expiresAt: toIso(world.now() + days(30)) })
  for (let day = 0; day < 29; day += 1) {
    world.advance(days(1))
    expect((await me(world.ctx(), call)).session).toEqual(session)
  }
  world.advance(days(1) - minutes(1))
  expect((await me(world.ctx(), call)).success).toBe(true)
  await world.drain()
  world.advance(minutes(1))
  await expect(me(world.ctx(), call)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
})

/** The claims of a desktop app that has just signed in. */
async function signInApp(world: World): Promise<Claims> {
  const ctx = world.ctx()
  const { userId } = await createAccount(ctx)
  const row = newSession(ctx, { userId, kind: 'desktop', isRemembered: true })
  await ctx.db.batch([insertSession(ctx, row)])
  return { userId, sessionId: row.id }
}

/** When the caller's session ends, in days from now, once all work after the answer is done. */
async function daysLeft(world: World, claims: Claims): Promise<number> {
  const { session } = await me(world.ctx(), callOf(claims))
  await world.drain()
  return (Date.parse(session.expiresAt) - world.now()) / days(1)
}

test('the session of an app ends 90 days after its last use', async () => {
  const world = createWorld()
  const claims = await signInApp(world)
  expect(await daysLeft(world, claims)).toBe(90)
  world.advance(days(89))
  expect(await daysLeft(world, claims)).toBe(90)
  world.advance(days(90) - minutes(1))
  expect(await daysLeft(world, claims)).toBe(90)
  world.advance(days(90))
  await expect(daysLeft(world, claims)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
})

test('the session of an app ends a year after the sign-in, and says so from the day on when use no longer moves it', async () => {
  const world = createWorld()
  const claims = await signInApp(world)
  const left: number[] = []
  for (let day = 0; day < 360; day += 40) {
    left.push(await daysLeft(world, claims))
    world.advance(days(40))
  }
  expect(left).toEqual([90, 90, 90, 90, 90, 90, 90, 85, 45])
  world.advance(days(5) - minutes(1))
  expect(await daysLeft(world, claims)).toBeGreaterThan(0)
  world.advance(minutes(1))
  await expect(daysLeft(world, claims)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
})

test('use does not open a session again that its user has ended', async () => {
  const world = createWorld()
  const claims = await signInApp(world)
  const { db } = world.ctx()
  world.advance(days(1))
  // Notes the use only after the end.
  await me(world.ctx(), callOf(claims))
  await db.batch([
    db.update(sessions).set({ endedAt: world.now() }).where(eq(sessions.id, claims.sessionId)),
  ])
  await world.drain()
  await expect(daysLeft(world, claims)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
})
