import { expect, test } from 'vitest'
import { mailsOf, userOf } from '../../../tests/harness/world/rows.ts'
import { cheapHash, createAccount } from '../../../tests/harness/world/account.ts'
import { createWorld, NO_INPUT, type World } from '../../../tests/harness/world/world.ts'
import { addressKeys } from '../account/address.ts'
import { newMailedLink, storeLinkFrom } from '../account/mailed-link.ts'
import { forgotPassword } from '../account/reset-password.ts'
import { verifyEmail } from '../account/verify-email.ts'
import { sql } from 'drizzle-orm'
import { users } from '../../db/schema/users.ts'
import { login } from './login.ts'
import { register } from './register.ts'
import { resolveIdentity } from './resolve-identity.ts'
import { hashPassword } from '../account/password-hash.ts'

const PASSWORD = 'Quiet-Otter-42'
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
const storedBefore = (world: World, email: string, more: Partial<typeof users.$inferInsert> = {}) =>
  createAccount(world.ctx(), { email, emailKey: email, passwordHash: cheapHash(), ...more })

const signIn = (world: World, email: string, password = PASSWORD) =>
  login(world.ctx(), { ...NO_INPUT, body: { email, password, rememberMe: false } })

const keyOf = async (world: World, userId: string) => (await userOf(world.ctx(), userId)).emailKey

test('for an ASCII domain there is one key', () => {
  expect(addressKeys('Ada@Example.com')).toEqual(['ada@example.com'])
  expect(addressKeys('X@xn--bcher-kva.example')).toEqual(addressKeys('x@bücher.example'))
})

test.each(['unicode', 'ascii', 'capitals'] as const)(
  'an account of before signs in with the %s spelling, and gets its new key with its open links',
  async (spelling) => {
    const world = createWorld()
    const address = newAddress()
    const { userId } = await storedBefore(world, address.unicode)
    const link = await newMailedLink(world.ctx(), 'verify')
    const { ctx } = world
    await ctx().db.batch([
      storeLinkFrom(ctx(), link, sql`FROM ${users} WHERE ${users.id} = ${userId}`),
    ])
    const { user } = await signIn(world, address[spelling])
    expect(user).toMatchObject({ id: userId, email: address.unicode })
    expect(await keyOf(world, userId)).toBe(address.ascii)
    await verifyEmail(ctx(), { ...NO_INPUT, params: { token: link.secret } })
    expect((await userOf(ctx(), userId)).emailVerifiedAt).not.toBeNull()
    for (const again of Object.values(address))
      expect((await signIn(world, again)).user.id).toBe(userId)
  },
)

test('an address is taken in every spelling, whether its account is new or of before', async () => {
  const world = createWorld()
  const made = (email: string, username: string) =>
    register(world.ctx(), {
      ...NO_INPUT,
      body: { username, email, password: PASSWORD, confirmPassword: PASSWORD },
    })
  const old = newAddress()
  await storedBefore(world, old.unicode)
  const fresh = newAddress()
  const { user } = await made(fresh.capitals, `u${world.ctx().newId('usr').slice(-20)}`)
  expect(user.email).toBe(fresh.capitals)
  expect(await keyOf(world, user.id)).toBe(fresh.ascii)
  for (const email of [...Object.values(old), ...Object.values(fresh)]) {
    const username = `u${world.ctx().newId('usr').slice(-20)}`
    await expect(made(email, username), email).rejects.toMatchObject({ code: 'EMAIL_TAKEN' })
  }
})

test('of two accounts of one address each signs in with its own password, mail goes to the verified one, and an alert names both', async () => {
  const world = createWorld()
  const { unicode, ascii } = newAddress()
  const { ctx } = world
  const passwordHash = await hashPassword(OTHER, ctx().randomBytes, ctx().hashCost)
  const older = await storedBefore(world, unicode)
  const verified = await storedBefore(world, ascii, {
    passwordHash,
    emailVerifiedAt: world.now(),
    createdAt: world.now() + 1,
  })
  for (const email of [unicode, ascii]) {
    expect((await signIn(world, email)).user.id).toBe(older.userId)
    expect((await signIn(world, email, OTHER)).user.id).toBe(verified.userId)
    await forgotPassword(ctx(), { ...NO_INPUT, body: { email } })
  }
  expect(await keyOf(world, older.userId)).toBe(unicode)
  expect(world.alerts).toContainEqual({
    event: 'an address has two accounts',
    fields: { userId: verified.userId, otherUserId: older.userId },
  })
  const kinds = async (userId: string) => (await mailsOf(ctx(), userId)).map(({ kind }) => kind)
  expect(await kinds(verified.userId)).toContain('reset_password')
  expect(await kinds(older.userId)).not.toContain('reset_password')
})

test('a Google account finds the account of its address in another spelling', async () => {
  const world = createWorld()
  const { unicode, ascii } = newAddress()
  const { userId } = await storedBefore(world, unicode, { emailVerifiedAt: world.now() })
  const subject = world.ctx().newId('usr')
  await resolveIdentity(world.ctx(), {
    subject,
    email: ascii,
    isEmailVerified: true,
    name: 'Ada',
    firstName: null,
    lastName: null,
  })
  expect((await userOf(world.ctx(), userId)).googleSubject).toBe(subject)
})

test('a password is right in both of its spellings, and the hash of another one is renewed', async () => {
  const world = createWorld()
  const { ctx } = world
  const [composed, decomposed] = ['Otter-Caf\u00e9-42', 'Otter-Cafe\u0301-42'] as const
  const { ascii } = newAddress()
  const { userId } = await storedBefore(world, ascii, {
    passwordHash: cheapHash('sixteen-byte-salt', decomposed),
  })
  await signIn(world, ascii, composed)
  const { passwordHash } = await userOf(ctx(), userId)
  expect(passwordHash).not.toBe(cheapHash('sixteen-byte-salt', decomposed))
  for (const typed of [composed, decomposed]) await signIn(world, ascii, typed)
  expect((await userOf(ctx(), userId)).passwordHash).toBe(passwordHash)
})
