import { eventKindsOf, mailsOf, userOf } from '../../../tests/harness/world/rows.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cheapHash, createAccount, worldWith } from '../../../tests/harness/world/account.ts'
import {
  createWorld,
  HASH_COST_OF_TESTS,
  NO_INPUT,
  withEachBatch,
  type World,
} from '../../../tests/harness/world/world.ts'
import { users } from '../../db/schema/users.ts'
import { hashPassword } from '../account/password-hash.ts'
import { days, hours } from '../time.ts'
import { login } from './login.ts'

const PASSWORD = 'Quiet-Otter-42'

async function accountWithPassword(world: World) {
  const { userId } = await createAccount(world.ctx(), { passwordHash: cheapHash() })
  return userOf(world.ctx(), userId)
}

function signIn(world: World, email: string, rememberMe = false) {
  return login(world.ctx(), { ...NO_INPUT, body: { email, password: PASSWORD, rememberMe } })
}

test('a sign-in replaces an outdated hash, also when two sign-ins run at once', async () => {
  const [world, user] = await worldWith(accountWithPassword)
  await Promise.all([signIn(world, user.email), signIn(world, user.email)])
  expect((await userOf(world.ctx(), user.id)).passwordHash).toMatch(/^\$scrypt\$ln=9,r=8,p=1\$/)
  await signIn(world, user.email)
})

test('the address is compared without regard to case or spelling', async () => {
  const [world, user] = await worldWith(accountWithPassword)
  const { user: seen } = await signIn(world, ` ${user.email.toUpperCase()} `)
  expect(seen.id).toBe(user.id)
})

test('a session lasts 12 hours, or 30 days with "Remember me"', async () => {
  const [world, user] = await worldWith(accountWithPassword)
  const short = await signIn(world, user.email)
  const long = await signIn(world, user.email, true)
  expect(Date.parse(short.expiresAt) - world.now()).toBe(hours(12))
  expect(Date.parse(long.expiresAt) - world.now()).toBe(days(30))
})

test('a sign-in fails when the password changes during the check', async () => {
  const [world, user] = await worldWith(accountWithPassword)
  const ctx = world.ctx()
  const other = ctx.db.update(users).set({ passwordHash: 'other' }).where(eq(users.id, user.id))
  const db = withEachBatch(ctx.db, async (statements) => {
    if ('session' in statements) await ctx.db.batch([other])
  })
  const body = { email: user.email, password: PASSWORD, rememberMe: false }
  await expect(login({ ...ctx, db }, { ...NO_INPUT, body })).rejects.toMatchObject({
    code: 'INVALID_CREDENTIALS',
  })
  expect((await userOf(world.ctx(), user.id)).passwordHash).toBe('other')
  // No session was opened, so neither a sign-in nor a new device is reported.
  await world.drain()
  expect(await eventKindsOf(world.ctx(), user.id)).toEqual(['sign_in_failed'])
  expect(await mailsOf(world.ctx(), user.id)).toEqual([])
})

test('a known and an unknown address get the same answer after one hash and as many round trips', async () => {
  const world = createWorld()
  const passwordHash = await hashPassword(
    'Other-Otter-42',
    world.ctx().randomBytes,
    HASH_COST_OF_TESTS,
  )
  const { email } = await createAccount(world.ctx(), { passwordHash })
  const failed = async (address: string) => {
    let costs = 0
    const hashCost = {
      ...HASH_COST_OF_TESTS,
      // Read by a hash that is made for nothing.
      get log2N() {
        costs += 1
        return HASH_COST_OF_TESTS.log2N
      },
    }
    const ctx = { ...world.ctx(), hashCost }
    const body = { email: address, password: PASSWORD, rememberMe: false }
    const error = await login(ctx, { ...NO_INPUT, body }).catch((refusal: unknown) => refusal)
    return { error, trips: ctx.db.trips(), hashesForNothing: costs > 0 }
  }
  const known = await failed(email)
  expect(known.error).toMatchObject({ code: 'INVALID_CREDENTIALS' })
  expect(await failed(`un${email}`)).toEqual({ ...known, hashesForNothing: true })
})
