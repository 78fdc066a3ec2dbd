import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cheapHash, createAccount } from '../../../tests/harness/world/account.ts'
import { createWorld, NO_INPUT, type World } from '../../../tests/harness/world/world.ts'
import { accountEvents, mails } from '../../db/schema/records.ts'
import { users } from '../../db/schema/users.ts'
import { days, hours } from '../time.ts'
import { login } from './login.ts'

const PASSWORD = 'Quiet-Otter-42'

async function storedUser(world: World, userId: string) {
  const { db } = world.ctx()
  const { rows } = await db.batch({ rows: db.select().from(users).where(eq(users.id, userId)) })
  const [user] = rows
  if (user === undefined) throw new Error('no such user')
  return user
}

async function accountWithPassword(world: World) {
  const { userId } = await createAccount(world.ctx(), { passwordHash: cheapHash() })
  return storedUser(world, userId)
}

function signIn(world: World, email: string, rememberMe = false) {
  return login(world.ctx(), { ...NO_INPUT, body: { email, password: PASSWORD, rememberMe } })
}

/** The events and mails of an account, by kind. */
async function recordsOf(world: World, userId: string) {
  const { db } = world.ctx()
  const { events, sent } = await db.batch({
    events: db.select().from(accountEvents).where(eq(accountEvents.userId, userId)),
    sent: db.select().from(mails).where(eq(mails.userId, userId)),
  })
  return { events: events.map(({ kind }) => kind), mails: sent.map(({ kind }) => kind) }
}

test('a sign-in replaces an outdated hash, also when two sign-ins run at once', async () => {
  const world = createWorld()
  const user = await accountWithPassword(world)
  await Promise.all([signIn(world, user.email), signIn(world, user.email)])
  expect((await storedUser(world, user.id)).passwordHash).toMatch(/^\$scrypt\$ln=9,r=8,p=1\$/)
  await signIn(world, user.email)
})

test('the address is compared without regard to case or spelling', async () => {
  const world = createWorld()
  const user = await accountWithPassword(world)
  const { user: seen } = await signIn(world, ` ${user.email.toUpperCase()} `)
  expect(seen.id).toBe(user.id)
})

test('a session lasts 12 hours, or 30 days with "Remember me"', async () => {
  const world = createWorld()
  const user = await accountWithPassword(world)
  const short = await signIn(world, user.email)
  const long = await signIn(world, user.email, true)
  expect(Date.parse(short.expiresAt) - world.now()).toBe(hours(12))
  expect(Date.parse(long.expiresAt) - world.now()).toBe(days(30))
})

test('a sign-in fails when the password changes during the check', async () => {
  const world = createWorld()
  const user = await accountWithPassword(world)
  const ctx = world.ctx()
  let changed: Promise<unknown> = Promise.resolve()
  // login() asks for random bytes after it has read the hash and before it opens the session.
  const randomBytes = (count: number) => {
    const other = ctx.db.update(users).set({ passwordHash: 'other' }).where(eq(users.id, user.id))
    changed = ctx.db.batch([other])
    return ctx.randomBytes(count)
  }
  const body = { email: user.email, password: PASSWORD, rememberMe: false }
  await expect(login({ ...ctx, randomBytes }, { ...NO_INPUT, body })).rejects.toMatchObject({
    code: 'INVALID_CREDENTIALS',
  })
  await changed
  expect((await storedUser(world, user.id)).passwordHash).toBe('other')
  // No session was opened, so neither a sign-in nor a new device is reported.
  await world.drain()
  expect(await recordsOf(world, user.id)).toEqual({ events: ['sign_in_failed'], mails: [] })
})
