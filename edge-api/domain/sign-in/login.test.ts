import { changeRows, countToday, eventKindsOf, mailsOf, userOf } from '#harness/fixture/rows.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createAccount, fixtureWith, accountWithPassword } from '#harness/fixture/account.ts'
import {
  createFixture,
  HASH_COST_OF_TESTS,
  NO_INPUT,
  withEachBatch,
  type Fixture,
} from '#harness/fixture/fixture.ts'
import { DAILY_LIMITS } from '../../../src/contract/limits.ts'
import { users } from '../../db/schema/users.ts'
import { hashPassword } from '../crypto/hash-password.ts'
import { days, hours } from '../time.ts'
import { login } from './login.ts'
import { signIn } from '#harness/fixture/sign-in.ts'
import { PASSWORD } from '#harness/user.ts'

const accountOf = async (fixture: Fixture) =>
  userOf(fixture.ctx(), (await accountWithPassword(fixture)).userId)

test('a sign-in replaces an outdated hash, also when two sign-ins run at once', async () => {
  const [fixture, user] = await fixtureWith(accountOf)
  await Promise.all([signIn(fixture, user.email), signIn(fixture, user.email)])
  expect((await userOf(fixture.ctx(), user.id)).passwordHash).toMatch(/^\$scrypt\$ln=9,r=8,p=1\$/)
  await signIn(fixture, user.email)
})

test('a session lasts 12 hours, or 30 days with "Remember me"', async () => {
  const [fixture, user] = await fixtureWith(accountOf)
  const short = await signIn(fixture, user.email)
  const remembered = { email: user.email, password: PASSWORD, rememberMe: true }
  const long = await login(fixture.ctx(), { ...NO_INPUT, body: remembered })
  expect(Date.parse(short.expiresAt) - fixture.now()).toBe(hours(12))
  expect(Date.parse(long.expiresAt) - fixture.now()).toBe(days(30))
})

test('a sign-in fails when the password changes during the check', async () => {
  const [fixture, user] = await fixtureWith(accountOf)
  const ctx = fixture.ctx()
  const isThis = eq(users.id, user.id)
  const db = withEachBatch(ctx.db, async (statements) => {
    if ('session' in statements) await changeRows(ctx.db, users, { passwordHash: 'other' }, isThis)
  })
  const interrupted = signIn({ ctx: () => ({ ...ctx, db }) }, user.email)
  await expect(interrupted).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' })
  expect((await userOf(fixture.ctx(), user.id)).passwordHash).toBe('other')
  // No session was opened, so neither a sign-in nor a new device is reported.
  await fixture.drain()
  expect(await eventKindsOf(fixture.ctx(), user.id)).toEqual(['sign_in_failed'])
  expect(await mailsOf(fixture.ctx(), user.id)).toEqual([])
})

test.each(['suspendedAt', 'lockedAt'] as const)(
  'where %s is set, the right password does not count as a wrong one',
  async (column) => {
    const [fixture, user] = await fixtureWith(accountOf)
    const ctx = fixture.ctx()
    await changeRows(ctx.db, users, { [column]: ctx.now }, eq(users.id, user.id))
    await countToday(ctx, ['password', user.emailKey], DAILY_LIMITS.password - 1)
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const rejected = { code: 'INVALID_CREDENTIALS' }
      await expect(signIn(fixture, user.email)).rejects.toMatchObject(rejected)
      await fixture.drain()
    }
  },
)

test('a known and an unknown address get the same answer after one hash and as many round trips', async () => {
  const fixture = createFixture()
  const passwordHash = await hashPassword(
    'Other-Otter-42',
    fixture.ctx().randomBytes,
    HASH_COST_OF_TESTS,
  )
  const { email } = await createAccount(fixture.ctx(), { passwordHash })
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
    const ctx = { ...fixture.ctx(), hashCost }
    const error = await signIn({ ctx: () => ctx }, address).catch((reason: unknown) => reason)
    return { error, roundTrips: ctx.db.roundTrips(), hashesForNothing: costs > 0 }
  }
  const known = await failed(email)
  expect(known.error).toMatchObject({ code: 'INVALID_CREDENTIALS' })
  expect(await failed(`un${email}`)).toEqual({ ...known, hashesForNothing: true })
})
