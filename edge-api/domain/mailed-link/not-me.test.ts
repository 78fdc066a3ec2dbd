import { fulfilled } from '#harness/fulfilled.ts'
import { mailsOf, secretIn, userOf } from '#harness/fixture/rows.ts'
import { expect, test } from 'vitest'
import { AUTH } from '../../../src/contract/messages.ts'
import { passkeyAnswer, setUpPasskey, setUpTotp } from '#harness/factors.ts'
import { accountWithPassword, openSession, fixtureWith } from '#harness/fixture/account.ts'
import { resetWith, signIn } from '#harness/fixture/sign-in.ts'
import { PASSWORD } from '#harness/user.ts'
import { callOf, NO_INPUT, type Fixture } from '#harness/fixture/fixture.ts'
import { listFactors, renewRecoveryCodes } from '../factors/list-factors.ts'
import { removeTotp } from '../factors/totp-factor.ts'
import { passkeySignIn } from '../sign-in/passkey-sign-in.ts'
import { resolveIdentity } from '../sign-in/resolve-identity.ts'
import { days, minutes } from '../time.ts'
import type { Claims } from '../context.ts'
import { changePassword } from '../password/change-password.ts'
import { me } from '../profile/me.ts'
import { notMe } from './not-me.ts'

const THEIRS = 'Louder-Otter-43'

const press = (fixture: Fixture, token: string) =>
  notMe(fixture.ctx(), { ...NO_INPUT, params: { token } })

async function changeTo(fixture: Fixture, claims: Claims, newPassword: string) {
  const body = { currentPassword: PASSWORD, newPassword }
  await changePassword(fixture.ctx(), { ...callOf(claims), body })
}

test('"This was not me" locks the account and mails a reset link; it works once, and then no place is known', async () => {
  const [fixture, claims] = await fixtureWith(accountWithPassword)
  await changeTo(fixture, claims, THEIRS)
  const secret = await secretIn(fixture.ctx(), claims.userId, 'password_changed')
  fixture.advance(days(3) - 1)
  expect(await fulfilled([press(fixture, secret), press(fixture, secret)])).toHaveLength(1)
  await expect(me(fixture.ctx(), callOf(claims))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  await expect(signIn(fixture, claims.email, THEIRS)).rejects.toThrow(AUTH.locked)
  await expect(signIn(fixture, claims.email, 'No-Otter-44')).rejects.toThrow(
    AUTH.invalidCredentials,
  )
  await expect(press(fixture, secret)).rejects.toMatchObject({ code: 'LINK_INVALID' })
  const token = await secretIn(fixture.ctx(), claims.userId, 'reset_password')
  await resetWith(fixture, token, PASSWORD)
  expect((await signIn(fixture, claims.email, PASSWORD)).user.id).toBe(claims.userId)
  const sent = await mailsOf(fixture.ctx(), claims.userId)
  expect(sent.map(({ kind }) => kind)).toContain('new_device')
})

test('"This was not me" disconnects Google, and mails its user again when Google comes back', async () => {
  const [fixture, claims] = await fixtureWith(accountWithPassword)
  const { email } = claims
  const name = { name: 'Ada', firstName: null, lastName: null }
  const identity = { subject: claims.userId, email, isEmailVerified: true, ...name }
  const isConnected = async () =>
    (await userOf(fixture.ctx(), claims.userId)).googleSubject !== null
  await resolveIdentity(fixture.ctx(), identity)
  expect(await isConnected()).toBe(true)
  const secret = await secretIn(fixture.ctx(), claims.userId, 'google_connected')
  await press(fixture, secret)
  expect(await isConnected()).toBe(false)
  await expect(resolveIdentity(fixture.ctx(), identity)).rejects.toThrow('google_locked')
  await leftAfterReset(fixture, claims)
  fixture.advance(minutes(1))
  await resolveIdentity(fixture.ctx(), identity)
  expect(await secretIn(fixture.ctx(), claims.userId, 'google_connected')).not.toBe(secret)
})

test('a link of another purpose and one older than three days lock nothing', async () => {
  const [fixture, claims] = await fixtureWith(accountWithPassword)
  await changeTo(fixture, claims, THEIRS)
  const secret = await secretIn(fixture.ctx(), claims.userId, 'password_changed')
  await expect(press(fixture, 'no-link-of-ours')).rejects.toMatchObject({ code: 'LINK_INVALID' })
  await expect(resetWith(fixture, secret, PASSWORD)).rejects.toMatchObject({ code: 'LINK_INVALID' })
  fixture.advance(days(3))
  await expect(press(fixture, secret)).rejects.toMatchObject({ code: 'LINK_INVALID' })
  expect((await me(fixture.ctx(), callOf(claims))).user.id).toBe(claims.userId)
})

/** What is left to sign in with once a reset has opened the account. */
async function leftAfterReset(fixture: Fixture, claims: Claims) {
  const token = await secretIn(fixture.ctx(), claims.userId, 'reset_password')
  await resetWith(fixture, token, PASSWORD)
  const again = await openSession(fixture.ctx(), claims.userId)
  const { totpSince, passkeys, recoveryCodesLeft } = await listFactors(fixture.ctx(), callOf(again))
  return { hasTotp: totpSince !== null, passkeys: passkeys.length, codes: recoveryCodesLeft }
}

const NOTHING = { hasTotp: false, passkeys: 0, codes: 0 }

const STEPS = {
  password: (fixture: Fixture, claims: Claims) => changeTo(fixture, claims, THEIRS),
  app: ({ ctx }: Fixture, claims: Claims) => setUpTotp(ctx(), claims),
  passkey: ({ ctx }: Fixture, claims: Claims) => setUpPasskey(ctx(), claims),
}
type Step = keyof typeof STEPS

test.each<[what: string, before: Step[], after: Step[], left: typeof NOTHING]>([
  [
    'everything added since, without a second step before',
    ['password'],
    ['passkey', 'app'],
    NOTHING,
  ],
  ['the first factor that it is about, with its codes', ['app'], [], NOTHING],
  [
    'a new second step, not older ones',
    ['passkey', 'app'],
    [],
    { ...NOTHING, passkeys: 1, codes: 10 },
  ],
])('the link takes away %s', async (_what, before, after, left) => {
  const [fixture, claims] = await fixtureWith(accountWithPassword)
  const take = async (step: Step) => {
    fixture.advance(minutes(1))
    await STEPS[step](fixture, claims)
  }
  for (const step of before) await take(step)
  const kind = before.at(-1) === 'password' ? 'password_changed' : 'factor_changed'
  const secret = await secretIn(fixture.ctx(), claims.userId, kind)
  for (const step of after) await take(step)
  await press(fixture, secret)
  expect(await leftAfterReset(fixture, claims)).toEqual(left)
})

test('codes that were renewed since go with the methods; the next sign-in makes new ones, once', async () => {
  const [fixture, claims] = await fixtureWith(accountWithPassword)
  const { passkey } = await setUpPasskey(fixture.ctx(), claims)
  fixture.advance(minutes(1))
  await renewRecoveryCodes(fixture.ctx(), callOf(claims))
  await press(fixture, await secretIn(fixture.ctx(), claims.userId, 'factor_changed'))
  expect(await leftAfterReset(fixture, claims)).toEqual({ hasTotp: false, passkeys: 1, codes: 0 })
  const enter = async () => {
    const body = { ...(await passkeyAnswer(fixture.ctx(), passkey)), rememberMe: false }
    return (await passkeySignIn(fixture.ctx(), { ...NO_INPUT, body })).recoveryCodes
  }
  expect(await enter()).toHaveLength(10)
  expect(await enter()).toBeUndefined()
})

test('where no older factor is left of an account that had one, the link takes none away', async () => {
  const [fixture, claims] = await fixtureWith(accountWithPassword)
  await setUpTotp(fixture.ctx(), claims)
  fixture.advance(minutes(1))
  await changeTo(fixture, claims, THEIRS)
  const secret = await secretIn(fixture.ctx(), claims.userId, 'password_changed')
  await removeTotp(fixture.ctx(), callOf(claims))
  const ofRemoval = await secretIn(fixture.ctx(), claims.userId, 'factor_changed')
  fixture.advance(minutes(1))
  await setUpPasskey(fixture.ctx(), claims)
  for (const link of [secret, ofRemoval]) {
    await press(fixture, link)
    expect(await leftAfterReset(fixture, claims)).toEqual({ ...NOTHING, passkeys: 1, codes: 10 })
  }
})
