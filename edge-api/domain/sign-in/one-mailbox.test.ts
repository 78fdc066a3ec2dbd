import { expect, test } from 'vitest'
import { mailsOf, userOf, newLink } from '#harness/fixture/rows.ts'
import { cheapHash, createAccount } from '#harness/fixture/account.ts'
import { createFixture, NO_INPUT, type Fixture } from '#harness/fixture/fixture.ts'
import { emailKeysOf } from '../account/address.ts'
import { forgotPassword } from '../password/reset-password.ts'
import type { users } from '../../db/schema/users.ts'
import { register } from './register.ts'
import { resolveIdentity } from './resolve-identity.ts'
import { hashPassword } from '../crypto/hash-password.ts'
import { signIn, verifyWith } from '#harness/fixture/sign-in.ts'
import { PASSWORD } from '#harness/user.ts'

const OTHER = 'Quiet-Heron-43'

let addresses = 0

/** An address in Unicode, in ASCII and in capitals. */
function newAddress() {
  addresses += 1
  const name = `ada${addresses}`
  return {
    unicode: `${name}@bücher.example`,
    ascii: `${name}@xn--bcher-kva.example`,
    capitals: `${name}@BÜCHER.Example`,
  }
}

/** An account as it was stored before domains were compared in ASCII. */
const storedBefore = (
  fixture: Fixture,
  email: string,
  more: Partial<typeof users.$inferInsert> = {},
) => createAccount(fixture.ctx(), { email, emailKey: email, passwordHash: cheapHash(), ...more })

const keyOf = async (fixture: Fixture, userId: string) =>
  (await userOf(fixture.ctx(), userId)).emailKey

test('for an ASCII domain there is one key', () => {
  expect(emailKeysOf('Ada@Example.com')).toEqual(['ada@example.com'])
  expect(emailKeysOf('X@xn--bcher-kva.example')).toEqual(emailKeysOf('x@bücher.example'))
})

test.each(['unicode', 'ascii', 'capitals'] as const)(
  'an account of before signs in with the %s spelling, and gets its new key with its open links',
  async (spelling) => {
    const fixture = createFixture()
    const address = newAddress()
    const { userId } = await storedBefore(fixture, address.unicode)
    const { ctx } = fixture
    const token = await newLink(ctx(), userId, 'verify')
    const { user } = await signIn(fixture, address[spelling])
    expect(user).toMatchObject({ id: userId, email: address.unicode })
    expect(await keyOf(fixture, userId)).toBe(address.ascii)
    await verifyWith(fixture, token)
    expect((await userOf(ctx(), userId)).emailVerifiedAt).not.toBeNull()
    for (const again of Object.values(address))
      expect((await signIn(fixture, again)).user.id).toBe(userId)
  },
)

test('an address is taken in every spelling, whether its account is new or of before', async () => {
  const fixture = createFixture()
  const made = (email: string, username: string) =>
    register(fixture.ctx(), {
      ...NO_INPUT,
      body: { username, email, password: PASSWORD, confirmPassword: PASSWORD },
    })
  const old = newAddress()
  await storedBefore(fixture, old.unicode)
  const fresh = newAddress()
  const { user } = await made(fresh.capitals, `u${fixture.ctx().newId('usr').slice(-20)}`)
  expect(user.email).toBe(fresh.capitals)
  expect(await keyOf(fixture, user.id)).toBe(fresh.ascii)
  for (const email of [...Object.values(old), ...Object.values(fresh)]) {
    const username = `u${fixture.ctx().newId('usr').slice(-20)}`
    await expect(made(email, username), email).rejects.toMatchObject({ code: 'EMAIL_TAKEN' })
  }
})

test('of two accounts of one address each signs in with its own password, mail goes to the verified one, and an alert names both', async () => {
  const fixture = createFixture()
  const { unicode, ascii } = newAddress()
  const { ctx } = fixture
  const passwordHash = await hashPassword(OTHER, ctx().randomBytes, ctx().hashCost)
  const older = await storedBefore(fixture, unicode)
  const verified = await storedBefore(fixture, ascii, {
    passwordHash,
    emailVerifiedAt: fixture.now(),
    createdAt: fixture.now() + 1,
  })
  for (const email of [unicode, ascii]) {
    expect((await signIn(fixture, email)).user.id).toBe(older.userId)
    expect((await signIn(fixture, email, OTHER)).user.id).toBe(verified.userId)
    await forgotPassword(ctx(), { ...NO_INPUT, body: { email } })
  }
  expect(await keyOf(fixture, older.userId)).toBe(unicode)
  expect(fixture.alerts).toContainEqual({
    event: 'an address has two accounts',
    fields: { userId: verified.userId, otherUserId: older.userId },
  })
  const kinds = async (userId: string) => (await mailsOf(ctx(), userId)).map(({ kind }) => kind)
  expect(await kinds(verified.userId)).toContain('reset_password')
  expect(await kinds(older.userId)).not.toContain('reset_password')
})

test('a Google account finds the account of its address in another spelling', async () => {
  const fixture = createFixture()
  const { unicode, ascii } = newAddress()
  const { userId } = await storedBefore(fixture, unicode, { emailVerifiedAt: fixture.now() })
  const subject = fixture.ctx().newId('usr')
  const name = { name: 'Ada', firstName: null, lastName: null }
  await resolveIdentity(fixture.ctx(), { subject, email: ascii, isEmailVerified: true, ...name })
  expect((await userOf(fixture.ctx(), userId)).googleSubject).toBe(subject)
})
