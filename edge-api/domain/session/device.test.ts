import { fulfilled } from '../../../tests/harness/fulfilled.ts'
import { changeRows, eventKindsOf, mailsOf, rowsOf } from '../../../tests/harness/world/rows.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  cheapHash,
  createAccount,
  openSession,
  openAccount,
} from '../../../tests/harness/world/account.ts'
import { callOf, createWorld, NO_INPUT, type World } from '../../../tests/harness/world/world.ts'
import { DAILY_LIMITS } from '../../../src/contract/limits.ts'
import { dailyCounts } from '../../db/schema/records.ts'
import { changePassword } from '../account/change-password.ts'
import { dailyCount } from '../account/daily-count.ts'
import { deleteAccount } from '../account/delete-account.ts'
import { listNotices, listSignIns } from '../account/list-events.ts'
import { me } from '../account/update-profile.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { Refusal } from '../refusal.ts'
import { minutes, seconds } from '../time.ts'
import { authorizeDevice, confirmDevice, showDeviceRequest } from './authorize-device.ts'
import { type Claims, verifyBearer } from '../account/signed.ts'
import { endOtherSessions, listSessions, logout } from './list-sessions.ts'
import { redeemDeviceCode } from './redeem-device-code.ts'
import { finishGoogleSignIn, insertPass, newPass } from './sign-in-pass.ts'

/** The name of a session that was approved in the test's browser. */
const DEVICE = 'Sotto for Windows (approved on Firefox on Linux)'

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

function askForCode(world: World) {
  const body = { client_name: 'Sotto for Windows' }
  return authorizeDevice(world.ctx(), { ...NO_INPUT, body })
}

function decide(
  world: World,
  claims: Claims,
  { code, approve }: { code: string; approve: boolean },
) {
  const userCode = code.replace('-', '')
  return confirmDevice(world.ctx(), { ...callOf(claims), body: { userCode, approve } })
}

function poll(world: World, deviceCode: string) {
  const body = { grant_type: GRANT, device_code: deviceCode } as const
  return redeemDeviceCode(world.ctx(), { ...NO_INPUT, body })
}

/** The `error` (RFC 8628 §3.5) of a refused poll. */
async function refusalOf(polled: Promise<unknown>): Promise<unknown> {
  try {
    await polled
    return null
  } catch (error) {
    return error instanceof Refusal ? error.detail.extra?.['error'] : error
  }
}

test('a desktop app gets a session, which is listed, once its code is confirmed', async () => {
  const { world, claims } = await openAccount()
  const { device_code, user_code } = await askForCode(world)
  expect(await refusalOf(poll(world, device_code))).toBe('authorization_pending')
  const shown = await showDeviceRequest(world.ctx(), {
    ...callOf(claims),
    params: { userCode: user_code.replace('-', '') },
  })
  expect(shown.request.clientName).toBe('Sotto for Windows')
  await decide(world, claims, { code: user_code, approve: true })
  world.advance(seconds(5))
  const { access_token, expires_in } = await poll(world, device_code)
  expect(expires_in).toBe(365 * 24 * 3_600)
  const ctx = world.ctx()
  const desktop = await verifyBearer(ctx.keys, access_token, ctx.now)
  if (desktop === null) throw new Error('the token is not genuine')
  const ofApp = callOf({ ...desktop, forApps: true })
  expect((await me(ctx, ofApp)).user.id).toBe(claims.userId)
  const { sessions } = await listSessions(ctx, callOf(claims))
  expect(sessions.find(({ isCurrent }) => !isCurrent)).toMatchObject({
    kind: 'desktop',
    device: DEVICE,
  })
})

test('an app that is connected already is shown as such to its account, and nothing happens twice; to others its code is unknown', async () => {
  const { world, claims } = await openAccount()
  const { user_code } = await askForCode(world)
  const params = { userCode: user_code.replace('-', '') }
  const show = (by: Claims) => showDeviceRequest(world.ctx(), { ...callOf(by), params })
  expect((await show(claims)).request.isConnected).toBe(false)
  await decide(world, claims, { code: user_code, approve: true })
  expect((await show(claims)).request).toMatchObject({ isConnected: true })
  const again = await decide(world, claims, { code: user_code, approve: true })
  expect(again.message).toBe('Sotto for Windows is already connected.')
  await world.drain()
  const mails = await mailsOf(world.ctx(), claims.userId)
  expect(mails.filter(({ kind }) => kind === 'device_approved')).toHaveLength(1)
  const unknown = { code: 'NOT_FOUND' }
  const other = await createAccount(world.ctx())
  await expect(show(other)).rejects.toMatchObject(unknown)
  await expect(decide(world, other, { code: user_code, approve: true })).rejects.toMatchObject(
    unknown,
  )
  await expect(decide(world, claims, { code: user_code, approve: false })).rejects.toMatchObject(
    unknown,
  )
  world.advance(minutes(10))
  await expect(show(claims)).rejects.toMatchObject(unknown)
})

test('five polls at once for one code open one session', async () => {
  const { world, claims } = await openAccount()
  const { device_code, user_code } = await askForCode(world)
  await decide(world, claims, { code: user_code, approve: true })
  expect(await fulfilled(Array.from({ length: 5 }, () => poll(world, device_code)))).toHaveLength(1)
  const { sessions } = await listSessions(world.ctx(), callOf(claims))
  expect(sessions.filter(({ kind }) => kind === 'desktop')).toHaveLength(1)
  world.advance(seconds(10))
  expect(await refusalOf(poll(world, device_code))).toBe('invalid_grant')
})

test('a code is decided once, within its ten minutes', async () => {
  const { world, claims } = await openAccount()
  const { user_code } = await askForCode(world)
  await decide(world, claims, { code: user_code, approve: false })
  await expect(decide(world, claims, { code: user_code, approve: true })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  const late = await askForCode(world)
  world.advance(minutes(10))
  await expect(
    decide(world, claims, { code: late.user_code, approve: true }),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

/** A desktop app that a user approved and that has signed in: what its token says. */
async function connect(world: World, claims: Claims) {
  const { access_token } = await poll(world, await approved(world, claims))
  const app = await verifyBearer(world.ctx().keys, access_token, world.now())
  if (app === null) throw new Error('the token is not genuine')
  return { ...app, forApps: true }
}

test('guesses at a password are limited by day, however many sessions the account has', async () => {
  const world = createWorld()
  const { db } = world.ctx()
  const claims = await createAccount(world.ctx(), { passwordHash: cheapHash() })
  const count = DAILY_LIMITS.accountPassword
  const ofAccount = await dailyCount(world.ctx(), 'accountPassword', claims.userId)
  await db.batch([db.insert(dailyCounts).values({ ...ofAccount, count })])
  const body = { password: 'Wrong-Otter-42' }
  const guess = deleteAccount(world.ctx(), { ...NO_INPUT, claims, body })
  await expect(guess).rejects.toMatchObject({ code: 'RATE_LIMITED' })
})

test('a session that has ended, or had its guesses, uses up none of the account’s', async () => {
  const { world, claims } = await openAccount({ passwordHash: cheapHash() })
  const { db } = world.ctx()
  const guess = () =>
    deleteAccount(world.ctx(), { ...NO_INPUT, claims, body: { password: 'Wrong-Otter-42' } })
  const ofAccount = await dailyCount(world.ctx(), 'accountPassword', claims.userId)
  await expect(guess()).rejects.toMatchObject({ code: 'WRONG_PASSWORD' })
  const ofSession = await dailyCount(world.ctx(), 'password', claims.sessionId)
  const count = DAILY_LIMITS.password
  await changeRows(db, dailyCounts, { count }, eq(dailyCounts.keyHash, ofSession.keyHash))
  await expect(guess()).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  await changeRows(db, sessions, { endedAt: world.now() }, eq(sessions.id, claims.sessionId))
  await expect(guess()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  const counted = await rowsOf(db, dailyCounts, eq(dailyCounts.keyHash, ofAccount.keyHash))
  expect(counted).toMatchObject([{ count: 1 }])
})

test('the history and a mail tell the user which app was let in and where it was approved', async () => {
  const world = createWorld()
  const claims = await createAccount(world.ctx(), { emailVerifiedAt: world.now() })
  await connect(world, claims)
  const { events } = await listSignIns(world.ctx(), callOf(claims))
  expect(events[0]).toMatchObject({ text: `Signed in on ${DEVICE}.`, device: DEVICE })
  const sent = await mailsOf(world.ctx(), claims.userId)
  expect(sent.map(({ payload }) => JSON.parse(payload))).toEqual([
    { client: 'Sotto for Windows', device: 'Firefox on Linux', secret: expect.any(String) },
  ])
  await world.drain()
  const { notices } = await listNotices(world.ctx(), callOf(claims))
  expect(notices[0]?.text).toBe('Signed in: Sotto for Windows.')
})

test('an app that calls itself a browser is not listed as one', async () => {
  const { world, claims } = await openAccount()
  const body = { client_name: 'Chrome on Windows' }
  const { device_code, user_code } = await authorizeDevice(world.ctx(), { ...NO_INPUT, body })
  await decide(world, claims, { code: user_code, approve: true })
  world.advance(seconds(5))
  await poll(world, device_code)
  const { sessions } = await listSessions(world.ctx(), callOf(claims))
  expect(sessions.map(({ device }) => device).toSorted()).toEqual([
    'Chrome on Windows (approved on Firefox on Linux)',
    'Firefox on Linux',
  ])
})

/** A code that is approved but not redeemed yet. */
async function approved(world: World, claims: Claims) {
  const { device_code, user_code } = await askForCode(world)
  await decide(world, claims, { code: user_code, approve: true })
  world.advance(seconds(5))
  return device_code
}

const PASSWORD = 'Quiet-Otter-42'

/** The ways in which a signed-in user takes the account back. */
const TAKE_BACK: Record<string, (world: World, claims: Claims) => Promise<unknown>> = {
  'a change of the password': (world, claims) => {
    const body = { currentPassword: PASSWORD, newPassword: 'Louder-Otter-43' }
    return changePassword(world.ctx(), { ...callOf(claims), body })
  },
  'ending all other sessions': async (world, claims) => {
    await endOtherSessions(world.ctx(), callOf(claims))
    await world.drain()
    expect(await eventKindsOf(world.ctx(), claims.userId)).toContain('session_ended')
  },
}

test.each(Object.entries(TAKE_BACK))(
  '%s ends the other sessions, and voids what this one approved and Google passes',
  async (_, takeBack) => {
    const world = createWorld()
    const ctx = world.ctx()
    const passwordHash = cheapHash()
    const googleSubject = `sub-${ctx.newId('x')}`
    const claims = await createAccount(ctx, { passwordHash, googleSubject })
    const deviceCode = await approved(world, claims)
    const pass = await newPass(ctx)
    await ctx.db.batch([insertPass(world.ctx(), { hash: pass.hash, subject: googleSubject })])
    const other = await openSession(ctx, claims.userId)
    await takeBack(world, claims)
    const reads = (by: Claims) =>
      me(world.ctx(), callOf(by)).then(
        () => true,
        () => false,
      )
    expect([await reads(claims), await reads(other)]).toEqual([true, false])
    expect(await refusalOf(poll(world, deviceCode))).toBe('invalid_grant')
    await expect(finishGoogleSignIn(world.ctx(), pass)).rejects.toMatchObject({
      code: 'LINK_INVALID',
    })
  },
)

test('an approval ends with the session that gave it, and with no other', async () => {
  const { world, claims } = await openAccount()
  const desktop = await connect(world, claims)
  const lost = await approved(world, claims)
  await logout(world.ctx(), callOf(claims))
  expect(await refusalOf(poll(world, lost))).toBe('invalid_grant')
  expect((await me(world.ctx(), callOf(desktop))).user.id).toBe(claims.userId)
})

test('a poll writes nothing unless its code is waiting and it comes in time', async () => {
  const { world, claims } = await openAccount()
  const { device_code, user_code } = await askForCode(world)
  const tripsOf = async (deviceCode: string) => {
    const ctx = world.ctx()
    const body = { grant_type: GRANT, device_code: deviceCode } as const
    const error = await refusalOf(redeemDeviceCode(ctx, { ...NO_INPUT, body }))
    return { error, trips: ctx.db.trips() }
  }
  expect(await tripsOf('never-made')).toEqual({ error: 'invalid_grant', trips: 1 })
  expect(await tripsOf(device_code)).toEqual({ error: 'authorization_pending', trips: 2 })
  expect(await tripsOf(device_code)).toEqual({ error: 'slow_down', trips: 1 })
  await decide(world, claims, { code: user_code, approve: false })
  world.advance(seconds(5))
  expect(await tripsOf(device_code)).toEqual({ error: 'access_denied', trips: 1 })
  const late = await approved(world, claims)
  world.advance(minutes(10))
  expect(await tripsOf(late)).toEqual({ error: 'expired_token', trips: 1 })
})
