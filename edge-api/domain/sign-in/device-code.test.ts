import { fulfilled } from '#harness/fulfilled.ts'
import { eventKindsOf, mailsOf, rowsOf, countToday } from '#harness/fixture/rows.ts'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cheapHash, createAccount, openSession, openAccount } from '#harness/fixture/account.ts'
import { callOf, createFixture, NO_INPUT, type Fixture } from '#harness/fixture/fixture.ts'
import { DAILY_LIMITS } from '../../../src/contract/limits.ts'
import { dailyCounts } from '../../db/schema/records.ts'
import { changePassword } from '../password/change-password.ts'
import { dailyCounter } from '../account/daily-limit.ts'
import { deleteAccount } from '../data-rights/delete-account.ts'
import { listNotices, listSignIns } from '../profile/list-notices.ts'
import { me } from '../profile/me.ts'
import { ApiError } from '../api-error.ts'
import { minutes, seconds } from '../time.ts'
import { authorizeDevice, confirmDevice, showDeviceRequest } from './authorize-device.ts'
import { verifyBearer } from '../crypto/sign.ts'
import type { Claims } from '../context.ts'
import { endOtherSessions, logout } from '../session/end-session.ts'
import { listSessions } from '../session/list-sessions.ts'
import { redeemDeviceCode } from './redeem-device-code.ts'
import { finishGoogleSignIn, storeGoogleTicket, newGoogleTicket } from './google-ticket.ts'
import { PASSWORD } from '#harness/user.ts'
import { approveDevice } from '#harness/fixture/device.ts'

/** The name of a session that was approved in the test's browser. */
const DEVICE = 'Sotto for Windows (approved on Firefox on Linux)'

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

const askForCode = (fixture: Fixture) =>
  authorizeDevice(fixture.ctx(), { ...NO_INPUT, body: { client_name: 'Sotto for Windows' } })

function decide(
  fixture: Fixture,
  claims: Claims,
  { code, approve }: { code: string; approve: boolean },
) {
  const userCode = code.replace('-', '')
  return confirmDevice(fixture.ctx(), { ...callOf(claims), body: { userCode, approve } })
}

function poll(fixture: Fixture, deviceCode: string) {
  const body = { grant_type: GRANT, device_code: deviceCode } as const
  return redeemDeviceCode(fixture.ctx(), { ...NO_INPUT, body })
}

/** The `error` (RFC 8628 §3.5) of a rejected poll. */
async function apiErrorOf(polled: Promise<unknown>): Promise<unknown> {
  try {
    await polled
    return null
  } catch (error) {
    return error instanceof ApiError ? error.detail.extra?.['error'] : error
  }
}

test('a desktop app gets a session, which is listed, once its code is confirmed', async () => {
  const { fixture, claims } = await openAccount()
  const { device_code, user_code } = await askForCode(fixture)
  expect(await apiErrorOf(poll(fixture, device_code))).toBe('authorization_pending')
  const shown = await showDeviceRequest(fixture.ctx(), {
    ...callOf(claims),
    params: { userCode: user_code.replace('-', '') },
  })
  expect(shown.request.clientName).toBe('Sotto for Windows')
  await decide(fixture, claims, { code: user_code, approve: true })
  fixture.advance(seconds(5))
  const { access_token, expires_in } = await poll(fixture, device_code)
  expect(expires_in).toBe(365 * 24 * 3_600)
  const ctx = fixture.ctx()
  const desktop = await verifyBearer(ctx.keys, access_token, ctx.now)
  if (desktop === null) throw new Error('the token is not genuine')
  expect((await me(ctx, callOf(desktop))).user.id).toBe(claims.userId)
  const { sessions } = await listSessions(ctx, callOf(claims))
  expect(sessions.find(({ isCurrent }) => !isCurrent)).toMatchObject({
    kind: 'desktop',
    device: DEVICE,
  })
})

test('an app that is connected already is shown as such to its account, and nothing happens twice; to others its code is unknown', async () => {
  const { fixture, claims } = await openAccount()
  const { user_code } = await askForCode(fixture)
  const params = { userCode: user_code.replace('-', '') }
  const show = (by: Claims) => showDeviceRequest(fixture.ctx(), { ...callOf(by), params })
  expect((await show(claims)).request.isConnected).toBe(false)
  await decide(fixture, claims, { code: user_code, approve: true })
  expect((await show(claims)).request).toMatchObject({ isConnected: true })
  const again = await decide(fixture, claims, { code: user_code, approve: true })
  expect(again.message).toBe('Sotto for Windows is already connected.')
  await fixture.drain()
  const mails = await mailsOf(fixture.ctx(), claims.userId)
  expect(mails.filter(({ kind }) => kind === 'device_approved')).toHaveLength(1)
  const unknown = { code: 'NOT_FOUND' }
  const other = await createAccount(fixture.ctx())
  await expect(show(other)).rejects.toMatchObject(unknown)
  const theirs = decide(fixture, other, { code: user_code, approve: true })
  await expect(theirs).rejects.toMatchObject(unknown)
  const refusal = decide(fixture, claims, { code: user_code, approve: false })
  await expect(refusal).rejects.toMatchObject(unknown)
  fixture.advance(minutes(10))
  await expect(show(claims)).rejects.toMatchObject(unknown)
})

test('five polls at once for one code open one session', async () => {
  const { fixture, claims } = await openAccount()
  const device_code = await approved(fixture, claims)
  const polls = Array.from({ length: 5 }, () => poll(fixture, device_code))
  expect(await fulfilled(polls)).toHaveLength(1)
  const { sessions } = await listSessions(fixture.ctx(), callOf(claims))
  expect(sessions.filter(({ kind }) => kind === 'desktop')).toHaveLength(1)
  fixture.advance(seconds(10))
  expect(await apiErrorOf(poll(fixture, device_code))).toBe('invalid_grant')
})

test('a code is decided once, within its ten minutes', async () => {
  const { fixture, claims } = await openAccount()
  const [first, late] = [await askForCode(fixture), await askForCode(fixture)]
  const approve = (code: string) => decide(fixture, claims, { code, approve: true })
  await decide(fixture, claims, { code: first.user_code, approve: false })
  await expect(approve(first.user_code)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  fixture.advance(minutes(10))
  await expect(approve(late.user_code)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

/** A desktop app that a user approved and that has signed in: what its token says. */
async function connect(fixture: Fixture, claims: Claims) {
  const { access_token } = await poll(fixture, await approved(fixture, claims))
  const app = await verifyBearer(fixture.ctx().keys, access_token, fixture.now())
  if (app === null) throw new Error('the token is not genuine')
  return app
}

test('guesses at a password are limited by day, however many sessions the account has', async () => {
  const { fixture, claims } = await openAccount({ passwordHash: cheapHash() })
  const counter = ['accountPassword', claims.userId] as const
  await countToday(fixture.ctx(), [...counter], DAILY_LIMITS.accountPassword)
  const body = { password: 'Wrong-Otter-42' }
  const guess = deleteAccount(fixture.ctx(), { ...NO_INPUT, claims, body })
  await expect(guess).rejects.toMatchObject({ code: 'RATE_LIMITED' })
})

test('a session that has ended, or had its guesses, uses up none of the account’s', async () => {
  const { fixture, claims } = await openAccount({ passwordHash: cheapHash() })
  const { db } = fixture.ctx()
  const guess = () =>
    deleteAccount(fixture.ctx(), { ...NO_INPUT, claims, body: { password: 'Wrong-Otter-42' } })
  const ofAccount = await dailyCounter(fixture.ctx(), 'accountPassword', claims.userId)
  await expect(guess()).rejects.toMatchObject({ code: 'WRONG_PASSWORD' })
  await countToday(fixture.ctx(), ['password', claims.sessionId], DAILY_LIMITS.password)
  await expect(guess()).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  await fixture.read(sql`UPDATE sessions SET ended_at = 1 WHERE id = ${claims.sessionId}`)
  await expect(guess()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  const counted = await rowsOf(db, dailyCounts, eq(dailyCounts.keyHash, ofAccount.keyHash))
  expect(counted).toMatchObject([{ count: 1 }])
})

test('the history and a mail tell the user which app was let in and where it was approved', async () => {
  const fixture = createFixture()
  const claims = await createAccount(fixture.ctx(), { emailVerifiedAt: fixture.now() })
  await connect(fixture, claims)
  const { events } = await listSignIns(fixture.ctx(), callOf(claims))
  expect(events[0]).toMatchObject({ text: `Signed in on ${DEVICE}.`, device: DEVICE })
  const sent = await mailsOf(fixture.ctx(), claims.userId)
  expect(sent.map(({ payload }) => JSON.parse(payload))).toEqual([
    { client: 'Sotto for Windows', device: 'Firefox on Linux', secret: expect.any(String) },
  ])
  await fixture.drain()
  const { notices } = await listNotices(fixture.ctx(), callOf(claims))
  expect(notices[0]?.text).toBe('Signed in: Sotto for Windows.')
})

test('an app that calls itself a browser is not listed as one', async () => {
  const { fixture, claims } = await openAccount()
  await poll(fixture, await approved(fixture, claims, 'Chrome on Windows'))
  const { sessions } = await listSessions(fixture.ctx(), callOf(claims))
  expect(sessions.map(({ device }) => device).toSorted()).toEqual([
    'Chrome on Windows (approved on Firefox on Linux)',
    'Firefox on Linux',
  ])
})

/** A code that is approved but not redeemed yet. */
async function approved(fixture: Fixture, claims: Claims, name?: string) {
  const { device_code } = await approveDevice(fixture.ctx(), claims, name)
  fixture.advance(seconds(5))
  return device_code
}

/** The ways in which a signed-in user takes the account back. */
const TAKE_BACK: Record<string, (fixture: Fixture, claims: Claims) => Promise<unknown>> = {
  'a change of the password': (fixture, claims) => {
    const body = { currentPassword: PASSWORD, newPassword: 'Louder-Otter-43' }
    return changePassword(fixture.ctx(), { ...callOf(claims), body })
  },
  'ending all other sessions': async (fixture, claims) => {
    await endOtherSessions(fixture.ctx(), callOf(claims))
    await fixture.drain()
    expect(await eventKindsOf(fixture.ctx(), claims.userId)).toContain('session_ended')
  },
}

test.each(Object.entries(TAKE_BACK))(
  '%s ends the other sessions, and voids what this one approved and tickets of Google',
  async (_, takeBack) => {
    const fixture = createFixture()
    const ctx = fixture.ctx()
    const passwordHash = cheapHash()
    const googleSubject = `sub-${ctx.newId('x')}`
    const claims = await createAccount(ctx, { passwordHash, googleSubject })
    const deviceCode = await approved(fixture, claims)
    const ticket = await newGoogleTicket(ctx)
    const { hash } = ticket
    await ctx.db.batch([storeGoogleTicket(ctx, { hash, subject: googleSubject })])
    const other = await openSession(ctx, claims.userId)
    await takeBack(fixture, claims)
    const reads = (by: Claims) =>
      me(fixture.ctx(), callOf(by)).then(
        () => true,
        () => false,
      )
    expect([await reads(claims), await reads(other)]).toEqual([true, false])
    expect(await apiErrorOf(poll(fixture, deviceCode))).toBe('invalid_grant')
    const finish = finishGoogleSignIn(fixture.ctx(), ticket)
    await expect(finish).rejects.toMatchObject({ code: 'LINK_INVALID' })
  },
)

test('an approval ends with the session that gave it, and with no other', async () => {
  const { fixture, claims } = await openAccount()
  const desktop = await connect(fixture, claims)
  const lost = await approved(fixture, claims)
  await logout(fixture.ctx(), callOf(claims))
  expect(await apiErrorOf(poll(fixture, lost))).toBe('invalid_grant')
  expect((await me(fixture.ctx(), callOf(desktop))).user.id).toBe(claims.userId)
})

test('a poll writes nothing unless its code is waiting and it comes in time', async () => {
  const { fixture, claims } = await openAccount()
  const { device_code, user_code } = await askForCode(fixture)
  const roundTripsOf = async (deviceCode: string) => {
    const ctx = fixture.ctx()
    const body = { grant_type: GRANT, device_code: deviceCode } as const
    const error = await apiErrorOf(redeemDeviceCode(ctx, { ...NO_INPUT, body }))
    return { error, roundTrips: ctx.db.roundTrips() }
  }
  expect(await roundTripsOf('never-made')).toEqual({ error: 'invalid_grant', roundTrips: 1 })
  expect(await roundTripsOf(device_code)).toEqual({ error: 'authorization_pending', roundTrips: 2 })
  expect(await roundTripsOf(device_code)).toEqual({ error: 'slow_down', roundTrips: 1 })
  await decide(fixture, claims, { code: user_code, approve: false })
  fixture.advance(seconds(5))
  expect(await roundTripsOf(device_code)).toEqual({ error: 'access_denied', roundTrips: 1 })
  const late = await approved(fixture, claims)
  fixture.advance(minutes(10))
  expect(await roundTripsOf(late)).toEqual({ error: 'expired_token', roundTrips: 1 })
})
