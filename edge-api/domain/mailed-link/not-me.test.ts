import { fulfilled } from '../../../tests/harness/fulfilled.ts'
import { mailsOf, userOf } from '../../../tests/harness/fixture/rows.ts'
import { expect, test } from 'vitest'
import { AUTH } from '../../../src/contract/messages.ts'
import { z } from '../../../src/contract/zod.ts'
import { passkeyAnswer, setUpPasskey, setUpTotp } from '../../../tests/harness/factors.ts'
import {
  cheapHash,
  createAccount,
  openSession,
  worldWith,
} from '../../../tests/harness/fixture/account.ts'
import { callOf, NO_INPUT, type Fixture } from '../../../tests/harness/fixture/fixture.ts'
import { listFactors, renewRecoveryCodes } from '../factors/list-factors.ts'
import { removeTotp } from '../factors/totp-factor.ts'
import { login } from '../sign-in/login.ts'
import { passkeySignIn } from '../sign-in/passkey-sign-in.ts'
import { resolveIdentity } from '../sign-in/resolve-identity.ts'
import { days, minutes } from '../time.ts'
import type { Claims } from '../context.ts'
import { changePassword } from '../password/change-password.ts'
import { me } from '../profile/update-profile.ts'
import { notMe } from './not-me.ts'
import { resetPassword } from '../password/reset-password.ts'

const PASSWORD = 'Quiet-Otter-42'
const THEIRS = 'Louder-Otter-43'
const Payload = z.object({ secret: z.string() })

const makeAccount = (fixture: Fixture) =>
  createAccount(fixture.ctx(), { passwordHash: cheapHash(), emailVerifiedAt: fixture.now() })

/** The secret in the newest mail of a kind. */
async function secretIn(fixture: Fixture, { userId }: Claims, kind: string): Promise<string> {
  const rows = await mailsOf(fixture.ctx(), userId)
  const last = rows.filter((mail) => mail.kind === kind).at(-1)
  return Payload.parse(JSON.parse(last?.payload ?? '{}')).secret
}

const press = (fixture: Fixture, token: string) =>
  notMe(fixture.ctx(), { ...NO_INPUT, params: { token } })

async function signIn(fixture: Fixture, { userId }: Claims, password: string) {
  const { email } = await userOf(fixture.ctx(), userId)
  const body = { email, password, rememberMe: false }
  return login(fixture.ctx(), { ...NO_INPUT, body })
}

async function changeTo(fixture: Fixture, claims: Claims, newPassword: string) {
  const body = { currentPassword: PASSWORD, newPassword }
  await changePassword(fixture.ctx(), { ...callOf(claims), body })
}

test('"This was not me" locks the account and mails a reset link; it works once', async () => {
  const [fixture, claims] = await worldWith(makeAccount)
  await changeTo(fixture, claims, THEIRS)
  const secret = await secretIn(fixture, claims, 'password_changed')
  fixture.advance(days(3) - 1)
  expect(await fulfilled([press(fixture, secret), press(fixture, secret)])).toHaveLength(1)
  await expect(me(fixture.ctx(), callOf(claims))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  await expect(signIn(fixture, claims, THEIRS)).rejects.toThrow(AUTH.locked)
  await expect(signIn(fixture, claims, 'No-Otter-44')).rejects.toThrow(AUTH.invalidCredentials)
  await expect(press(fixture, secret)).rejects.toMatchObject({ code: 'LINK_INVALID' })
  const token = await secretIn(fixture, claims, 'reset_password')
  await resetPassword(fixture.ctx(), {
    ...NO_INPUT,
    params: { token },
    body: { password: PASSWORD },
  })
  expect((await signIn(fixture, claims, PASSWORD)).user.id).toBe(claims.userId)
})

test('"This was not me" disconnects Google, and mails its user again when Google comes back', async () => {
  const [fixture, claims] = await worldWith(makeAccount)
  const { email } = claims
  const name = { name: 'Ada', firstName: null, lastName: null }
  const identity = { subject: claims.userId, email, isEmailVerified: true, ...name }
  const isConnected = async () =>
    (await userOf(fixture.ctx(), claims.userId)).googleSubject !== null
  await resolveIdentity(fixture.ctx(), identity)
  expect(await isConnected()).toBe(true)
  const secret = await secretIn(fixture, claims, 'google_connected')
  await press(fixture, secret)
  expect(await isConnected()).toBe(false)
  await expect(resolveIdentity(fixture.ctx(), identity)).rejects.toThrow('google_locked')
  await leftAfterReset(fixture, claims)
  fixture.advance(minutes(1))
  await resolveIdentity(fixture.ctx(), identity)
  expect(await secretIn(fixture, claims, 'google_connected')).not.toBe(secret)
})

test('a link of another purpose and one older than three days lock nothing', async () => {
  const [fixture, claims] = await worldWith(makeAccount)
  await changeTo(fixture, claims, THEIRS)
  const secret = await secretIn(fixture, claims, 'password_changed')
  await expect(press(fixture, 'no-link-of-ours')).rejects.toMatchObject({ code: 'LINK_INVALID' })
  const asReset = resetPassword(fixture.ctx(), {
    ...NO_INPUT,
    params: { token: secret },
    body: { password: PASSWORD },
  })
  await expect(asReset).rejects.toMatchObject({ code: 'LINK_INVALID' })
  fixture.advance(days(3))
  await expect(press(fixture, secret)).rejects.toMatchObject({ code: 'LINK_INVALID' })
  expect((await me(fixture.ctx(), callOf(claims))).user.id).toBe(claims.userId)
})

/** What is left to sign in with once a reset has opened the account. */
async function leftAfterReset(fixture: Fixture, claims: Claims) {
  const token = await secretIn(fixture, claims, 'reset_password')
  await resetPassword(fixture.ctx(), {
    ...NO_INPUT,
    params: { token },
    body: { password: PASSWORD },
  })
  const again = await openSession(fixture.ctx(), claims.userId)
  const { totpSince, passkeys, recoveryCodesLeft } = await listFactors(fixture.ctx(), callOf(again))
  return { hasTotp: totpSince !== null, passkeys: passkeys.length, codes: recoveryCodesLeft }
}

const NOTHING = { hasTotp: false, passkeys: 0, codes: 0 }

test('of an account without a second step, the link takes away everything that was added since the mail', async () => {
  const [fixture, claims] = await worldWith(makeAccount)
  await changeTo(fixture, claims, THEIRS)
  const secret = await secretIn(fixture, claims, 'password_changed')
  fixture.advance(minutes(1))
  await setUpPasskey(fixture.ctx(), claims)
  fixture.advance(minutes(1))
  await setUpTotp(fixture.ctx(), claims)
  await press(fixture, secret)
  expect(await leftAfterReset(fixture, claims)).toEqual(NOTHING)
})

test('the link of the mail about the first factor takes it away, with its codes', async () => {
  const [fixture, claims] = await worldWith(makeAccount)
  await setUpTotp(fixture.ctx(), claims)
  await press(fixture, await secretIn(fixture, claims, 'factor_changed'))
  expect(await leftAfterReset(fixture, claims)).toEqual(NOTHING)
})

test('the link of a mail about a new second step removes it and leaves older ones', async () => {
  const [fixture, claims] = await worldWith(makeAccount)
  await setUpPasskey(fixture.ctx(), claims)
  fixture.advance(minutes(1))
  await setUpTotp(fixture.ctx(), claims)
  await press(fixture, await secretIn(fixture, claims, 'factor_changed'))
  const left = { hasTotp: false, passkeys: 1, codes: 10 }
  expect(await leftAfterReset(fixture, claims)).toEqual(left)
})

test('codes that were renewed since go with the methods; the next sign-in makes new ones, once', async () => {
  const [fixture, claims] = await worldWith(makeAccount)
  const { passkey } = await setUpPasskey(fixture.ctx(), claims)
  fixture.advance(minutes(1))
  await renewRecoveryCodes(fixture.ctx(), callOf(claims))
  await press(fixture, await secretIn(fixture, claims, 'factor_changed'))
  expect(await leftAfterReset(fixture, claims)).toEqual({ hasTotp: false, passkeys: 1, codes: 0 })
  const enter = async () => {
    const body = { ...(await passkeyAnswer(fixture.ctx(), passkey)), rememberMe: false }
    return (await passkeySignIn(fixture.ctx(), { ...NO_INPUT, body })).recoveryCodes
  }
  expect(await enter()).toHaveLength(10)
  expect(await enter()).toBeUndefined()
})

test('where no older factor is left of an account that had one, the link takes none away', async () => {
  const [fixture, claims] = await worldWith(makeAccount)
  await setUpTotp(fixture.ctx(), claims)
  fixture.advance(minutes(1))
  await changeTo(fixture, claims, THEIRS)
  const secret = await secretIn(fixture, claims, 'password_changed')
  await removeTotp(fixture.ctx(), callOf(claims))
  const ofRemoval = await secretIn(fixture, claims, 'factor_changed')
  fixture.advance(minutes(1))
  await setUpPasskey(fixture.ctx(), claims)
  for (const link of [secret, ofRemoval]) {
    await press(fixture, link)
    expect(await leftAfterReset(fixture, claims)).toEqual({
      hasTotp: false,
      passkeys: 1,
      codes: 10,
    })
  }
})
