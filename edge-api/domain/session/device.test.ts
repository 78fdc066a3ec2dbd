import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { callOf, createWorld, NO_INPUT, type World } from '../../../tests/harness/world/world.ts'
import { mails } from '../../db/schema/records.ts'
import { listSignIns } from '../account/list-events.ts'
import { me } from '../account/me.ts'
import { updatePreferences } from '../account/update-profile.ts'
import { Refusal } from '../refusal.ts'
import { minutes, seconds } from '../time.ts'
import { authorizeDevice, confirmDevice, showDeviceRequest } from './authorize-device.ts'
import { type Claims, verifyBearer } from '../account/bearer.ts'
import { listSessions } from './list-sessions.ts'
import { redeemDeviceCode } from './redeem-device-code.ts'

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
  const world = createWorld()
  const claims = await createAccount(world.ctx())
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
  expect(expires_in).toBe(30 * 24 * 3_600)
  const ctx = world.ctx()
  const desktop = await verifyBearer(ctx.keys, access_token, ctx.now)
  if (desktop === null) throw new Error('the token is not genuine')
  expect((await me(ctx, callOf(desktop))).user.id).toBe(claims.userId)
  const { sessions } = await listSessions(ctx, callOf(desktop))
  expect(sessions.find(({ isCurrent }) => isCurrent)).toMatchObject({
    kind: 'desktop',
    device: 'Sotto for Windows',
  })
})

test('of five polls at once for one code, one opens a session', async () => {
  const world = createWorld()
  const claims = await createAccount(world.ctx())
  const { device_code, user_code } = await askForCode(world)
  await decide(world, claims, { code: user_code, approve: true })
  const polls = await Promise.allSettled(Array.from({ length: 5 }, () => poll(world, device_code)))
  expect(polls.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const { sessions } = await listSessions(world.ctx(), callOf(claims))
  expect(sessions.filter(({ kind }) => kind === 'desktop')).toHaveLength(1)
  world.advance(seconds(10))
  expect(await refusalOf(poll(world, device_code))).toBe('expired_token')
})

test('polling too fast is slow_down, a denied code access_denied, a late one expired_token', async () => {
  const world = createWorld()
  const claims = await createAccount(world.ctx())
  const hasty = await askForCode(world)
  expect(await refusalOf(poll(world, hasty.device_code))).toBe('authorization_pending')
  world.advance(seconds(1))
  expect(await refusalOf(poll(world, hasty.device_code))).toBe('slow_down')
  await decide(world, claims, { code: hasty.user_code, approve: false })
  world.advance(seconds(5))
  expect(await refusalOf(poll(world, hasty.device_code))).toBe('access_denied')
  const late = await askForCode(world)
  await decide(world, claims, { code: late.user_code, approve: true })
  world.advance(minutes(10))
  expect(await refusalOf(poll(world, late.device_code))).toBe('expired_token')
  expect(await refusalOf(poll(world, 'never-made'))).toBe('expired_token')
})

test('a code is decided once, within its ten minutes', async () => {
  const world = createWorld()
  const claims = await createAccount(world.ctx())
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

/** A desktop app that a user approved and that has signed in. */
async function connect(world: World, claims: Claims) {
  const { device_code, user_code } = await askForCode(world)
  await decide(world, claims, { code: user_code, approve: true })
  world.advance(seconds(5))
  await poll(world, device_code)
}

async function mailsAboutDevices(world: World, { userId }: Claims) {
  const { db } = world.ctx()
  const [rows] = await db.batch([
    db
      .select()
      .from(mails)
      .where(and(eq(mails.userId, userId), eq(mails.kind, 'new_device'))),
  ])
  return rows
}

test('the history and one mail tell the user the name of a new app', async () => {
  const world = createWorld()
  const claims = await createAccount(world.ctx())
  await connect(world, claims)
  await connect(world, claims)
  const { events } = await listSignIns(world.ctx(), callOf(claims))
  const told = { text: 'Signed in on Sotto for Windows.', device: 'Sotto for Windows' }
  expect(events.slice(0, 2)).toMatchObject([told, told])
  const sent = await mailsAboutDevices(world, claims)
  expect(sent).toHaveLength(1)
  expect(sent[0]?.payload).toBe('{"device":"Sotto for Windows"}')
})

test('a user who switched security mails off gets none about a new app', async () => {
  const world = createWorld()
  const claims = await createAccount(world.ctx())
  await updatePreferences(world.ctx(), { ...callOf(claims), body: { mailSecurity: false } })
  await connect(world, claims)
  expect(await mailsAboutDevices(world, claims)).toEqual([])
})
