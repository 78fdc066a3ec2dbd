import { fulfilled } from '../../../tests/harness/fulfilled.ts'
import { mailsOf, userOf } from '../../../tests/harness/world/rows.ts'
import { expect, test } from 'vitest'
import { AUTH } from '../../../src/contract/messages.ts'
import { z } from '../../../src/contract/zod.ts'
import { passkeyAnswer, setUpPasskey, setUpTotp } from '../../../tests/harness/factors.ts'
import {
  cheapHash,
  createAccount,
  openSession,
  worldWith,
} from '../../../tests/harness/world/account.ts'
import { callOf, NO_INPUT, type World } from '../../../tests/harness/world/world.ts'
import { listFactors, renewRecoveryCodes } from '../factors/list-factors.ts'
import { removeTotp } from '../factors/totp-factor.ts'
import { login } from '../session/login.ts'
import { passkeySignIn } from '../session/passkey-sign-in.ts'
import { resolveIdentity } from '../session/resolve-identity.ts'
import { days, minutes } from '../time.ts'
import type { Claims } from './signed.ts'
import { changePassword } from './change-password.ts'
import { me } from './update-profile.ts'
import { notMe } from './not-me.ts'
import { resetPassword } from './reset-password.ts'

const PASSWORD = 'Quiet-Otter-42'
const THEIRS = 'Louder-Otter-43'
const Payload = z.object({ secret: z.string() })

const makeAccount = (world: World) =>
  createAccount(world.ctx(), { passwordHash: cheapHash(), emailVerifiedAt: world.now() })

/** The secret in the newest mail of a kind. */
async function secretIn(world: World, { userId }: Claims, kind: string): Promise<string> {
  const rows = await mailsOf(world.ctx(), userId)
  const last = rows.filter((mail) => mail.kind === kind).at(-1)
  return Payload.parse(JSON.parse(last?.payload ?? '{}')).secret
}

const press = (world: World, token: string) =>
  notMe(world.ctx(), { ...NO_INPUT, params: { token } })

async function signIn(world: World, { userId }: Claims, password: string) {
  const { email } = await userOf(world.ctx(), userId)
  const body = { email, password, rememberMe: false }
  return login(world.ctx(), { ...NO_INPUT, body })
}

async function changeTo(world: World, claims: Claims, newPassword: string) {
  const body = { currentPassword: PASSWORD, newPassword }
  await changePassword(world.ctx(), { ...callOf(claims), body })
}

test('"This was not me" locks the account and mails a reset link; it works once', async () => {
  const [world, claims] = await worldWith(makeAccount)
  await changeTo(world, claims, THEIRS)
  const secret = await secretIn(world, claims, 'password_changed')
  world.advance(days(3) - 1)
  expect(await fulfilled([press(world, secret), press(world, secret)])).toHaveLength(1)
  await expect(me(world.ctx(), callOf(claims))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  await expect(signIn(world, claims, THEIRS)).rejects.toThrow(AUTH.locked)
  await expect(signIn(world, claims, 'No-Otter-44')).rejects.toThrow(AUTH.invalidCredentials)
  await expect(press(world, secret)).rejects.toMatchObject({ code: 'LINK_INVALID' })
  const token = await secretIn(world, claims, 'reset_password')
  await resetPassword(world.ctx(), { ...NO_INPUT, params: { token }, body: { password: PASSWORD } })
  expect((await signIn(world, claims, PASSWORD)).user.id).toBe(claims.userId)
})

test('"This was not me" disconnects Google, and mails its user again when Google comes back', async () => {
  const [world, claims] = await worldWith(makeAccount)
  const { email } = claims
  const name = { name: 'Ada', firstName: null, lastName: null }
  const identity = { subject: claims.userId, email, isEmailVerified: true, ...name }
  const isConnected = async () => (await userOf(world.ctx(), claims.userId)).googleSubject !== null
  await resolveIdentity(world.ctx(), identity)
  expect(await isConnected()).toBe(true)
  const secret = await secretIn(world, claims, 'google_connected')
  await press(world, secret)
  expect(await isConnected()).toBe(false)
  await expect(resolveIdentity(world.ctx(), identity)).rejects.toThrow('google_locked')
  await leftAfterReset(world, claims)
  world.advance(minutes(1))
  await resolveIdentity(world.ctx(), identity)
  expect(await secretIn(world, claims, 'google_connected')).not.toBe(secret)
})

test('a link of another purpose and one older than three days lock nothing', async () => {
  const [world, claims] = await worldWith(makeAccount)
  await changeTo(world, claims, THEIRS)
  const secret = await secretIn(world, claims, 'password_changed')
  await expect(press(world, 'no-link-of-ours')).rejects.toMatchObject({ code: 'LINK_INVALID' })
  const asReset = resetPassword(world.ctx(), {
    ...NO_INPUT,
    params: { token: secret },
    body: { password: PASSWORD },
  })
  await expect(asReset).rejects.toMatchObject({ code: 'LINK_INVALID' })
  world.advance(days(3))
  await expect(press(world, secret)).rejects.toMatchObject({ code: 'LINK_INVALID' })
  expect((await me(world.ctx(), callOf(claims))).user.id).toBe(claims.userId)
})

/** What is left to sign in with once a reset has opened the account. */
async function leftAfterReset(world: World, claims: Claims) {
  const token = await secretIn(world, claims, 'reset_password')
  await resetPassword(world.ctx(), { ...NO_INPUT, params: { token }, body: { password: PASSWORD } })
  const again = await openSession(world.ctx(), claims.userId)
  const { totpSince, passkeys, recoveryCodesLeft } = await listFactors(world.ctx(), callOf(again))
  return { hasTotp: totpSince !== null, passkeys: passkeys.length, codes: recoveryCodesLeft }
}

const NOTHING = { hasTotp: false, passkeys: 0, codes: 0 }

test('of an account without a second step, the link takes away everything that was added since the mail', async () => {
  const [world, claims] = await worldWith(makeAccount)
  await changeTo(world, claims, THEIRS)
  const secret = await secretIn(world, claims, 'password_changed')
  world.advance(minutes(1))
  await setUpPasskey(world.ctx(), claims)
  world.advance(minutes(1))
  await setUpTotp(world.ctx(), claims)
  await press(world, secret)
  expect(await leftAfterReset(world, claims)).toEqual(NOTHING)
})

test('the link of the mail about the first factor takes it away, with its codes', async () => {
  const [world, claims] = await worldWith(makeAccount)
  await setUpTotp(world.ctx(), claims)
  await press(world, await secretIn(world, claims, 'factor_changed'))
  expect(await leftAfterReset(world, claims)).toEqual(NOTHING)
})

test('the link of a mail about a new second step removes it and leaves older ones', async () => {
  const [world, claims] = await worldWith(makeAccount)
  await setUpPasskey(world.ctx(), claims)
  world.advance(minutes(1))
  await setUpTotp(world.ctx(), claims)
  await press(world, await secretIn(world, claims, 'factor_changed'))
  const left = { hasTotp: false, passkeys: 1, codes: 10 }
  expect(await leftAfterReset(world, claims)).toEqual(left)
})

test('codes that were renewed since go with the methods; the next sign-in makes new ones, once', async () => {
  const [world, claims] = await worldWith(makeAccount)
  const { passkey } = await setUpPasskey(world.ctx(), claims)
  world.advance(minutes(1))
  await renewRecoveryCodes(world.ctx(), callOf(claims))
  await press(world, await secretIn(world, claims, 'factor_changed'))
  expect(await leftAfterReset(world, claims)).toEqual({ hasTotp: false, passkeys: 1, codes: 0 })
  const enter = async () => {
    const body = { ...(await passkeyAnswer(world.ctx(), passkey)), rememberMe: false }
    return (await passkeySignIn(world.ctx(), { ...NO_INPUT, body })).recoveryCodes
  }
  expect(await enter()).toHaveLength(10)
  expect(await enter()).toBeUndefined()
})

test('where no older factor is left of an account that had one, the link takes none away', async () => {
  const [world, claims] = await worldWith(makeAccount)
  await setUpTotp(world.ctx(), claims)
  world.advance(minutes(1))
  await changeTo(world, claims, THEIRS)
  const secret = await secretIn(world, claims, 'password_changed')
  await removeTotp(world.ctx(), callOf(claims))
  const ofRemoval = await secretIn(world, claims, 'factor_changed')
  world.advance(minutes(1))
  await setUpPasskey(world.ctx(), claims)
  for (const link of [secret, ofRemoval]) {
    await press(world, link)
    expect(await leftAfterReset(world, claims)).toEqual({ hasTotp: false, passkeys: 1, codes: 10 })
  }
})
