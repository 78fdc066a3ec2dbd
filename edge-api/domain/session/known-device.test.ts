import { mailsAt, mailsOf } from '../../../tests/harness/world/rows.ts'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { DAILY_LIMITS } from '../../../src/contract/limits.ts'
import { cheapHash, createAccount, worldWith } from '../../../tests/harness/world/account.ts'
import { callOf, createWorld, NO_INPUT, type World } from '../../../tests/harness/world/world.ts'
import { dailyCount } from '../account/daily-count.ts'
import { markDevice, markedCredential, triesKey } from '../account/device-mark.ts'
import { changePassword } from '../account/change-password.ts'
import { forgotPassword, resetPassword } from '../account/reset-password.ts'
import { dailyCounts } from '../../db/schema/records.ts'
import { seal } from '../account/signed.ts'
import type { BearerKey, Context, Visitor } from '../context.ts'
import { sha256Hex } from '../encoding.ts'
import { afterHash } from '../../../tests/harness/world/hashing.ts'
import { days } from '../time.ts'
import { login } from './login.ts'

const PASSWORD = 'Quiet-Otter-42'
const OTHER = 'Quiet-Heron-43'

/** A browser that keeps the mark it gets, and may have one from an earlier sign-in. */
async function newBrowser(world: World, signedInBefore?: { email: string }) {
  let mark = ''
  const keep = (kept: string) => {
    mark = kept
  }
  const ctx = () => ({ ...world.ctx(), deviceMark: { given: mark, keep } })
  if (signedInBefore !== undefined) {
    const owner = { emailKey: signedInBefore.email, passwordHash: cheapHash() }
    await markDevice(ctx(), owner)
  }
  return { ctx }
}

type Browser = Awaited<ReturnType<typeof newBrowser>>

function signIn(browser: Pick<Browser, 'ctx'>, email: string, password = PASSWORD) {
  return login(browser.ctx(), { ...NO_INPUT, body: { email, password, rememberMe: false } })
}

async function someone(world: World) {
  const emailVerifiedAt = world.now()
  const claims = await createAccount(world.ctx(), { passwordHash: cheapHash(), emailVerifiedAt })
  return { claims, email: claims.email }
}

/** Counts this many wrong passwords of strangers, without hashing them. */
async function useUp(world: World, email: string, count: number = DAILY_LIMITS.password) {
  const { db } = world.ctx()
  const row = { ...(await dailyCount(world.ctx(), 'password', email)), count }
  const onKey = { target: dailyCounts.keyHash, set: { count } }
  await db.batch([db.insert(dailyCounts).values(row).onConflictDoUpdate(onKey)])
}

const refused = (browser: Pick<Browser, 'ctx'>, email: string, password?: string) =>
  expect(signIn(browser, email, password)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    message: expect.stringContaining('reset your password by email'),
  })

test('a known browser and a session wait in the queue for hashes under their account, and a stranger does not', async () => {
  const [world, { email, claims }] = await worldWith(someone)
  const accounts: (string | undefined)[] = []
  const heard = (ctx: Context) => afterHash(ctx, (known) => accounts.push(known))
  const own = await newBrowser(world, { email })
  for (const { ctx } of [own, world]) await signIn({ ctx: () => heard(ctx()) }, email)
  const body = { currentPassword: PASSWORD, newPassword: OTHER }
  await changePassword(heard(world.ctx()), { ...callOf(claims), body })
  const { userId } = claims
  // The second hash renews the stored one.
  expect(accounts).toEqual([`known:${email}`, userId, undefined, userId, userId])
})

test('many wrong passwords at once do not exceed the daily limit, and a browser that signed in before still signs in', async () => {
  const [world, { email }] = await worldWith(someone)
  const own = await newBrowser(world, { email })
  await useUp(world, email, DAILY_LIMITS.password - 10)
  const wave = Array.from({ length: 20 }, () => signIn(world, email, 'Wrong-Otter-42'))
  const outcomes = await Promise.allSettled(wave)
  const codes = outcomes.map((one) => (one.status === 'rejected' ? one.reason.code : 'in'))
  const count = (code: string) => codes.filter((one) => one === code).length
  expect(count('INVALID_CREDENTIALS') + count('OVERLOADED')).toBe(10)
  expect(count('RATE_LIMITED')).toBe(10)
  await refused(world, email)
  await signIn(own, email)
  world.advance(days(1))
  await signIn(world, email)
})

test('an unknown address is refused like a known one, and right passwords do not count', async () => {
  const world = createWorld()
  const unknown = `${randomUUID()}@example.test`
  await useUp(world, unknown, DAILY_LIMITS.password - 1)
  await expect(signIn(world, unknown)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' })
  await refused(world, unknown)
  const { email } = await someone(world)
  await useUp(world, email, DAILY_LIMITS.password - 1)
  await signIn(world, email)
  await signIn(world, email)
})

test('a known browser has a bounded number of tries too', async () => {
  const [world, { email }] = await worldWith(someone)
  const own = await newBrowser(world, { email })
  await useUp(world, email)
  await useUp(world, `known:${email}`, DAILY_LIMITS.password - 1)
  await signIn(own, email)
  await useUp(world, `known:${email}`)
  await refused(own, email)
  // The mark of one account is worth nothing for another.
  const other = await someone(world)
  await useUp(world, other.email)
  await refused(own, other.email)
})

test('marks of earlier passwords give a browser no more tries a day than the present one', async () => {
  const [world, { email }] = await worldWith(someone)
  const marked = async (passwordHash: string) => {
    const { ctx } = await newBrowser(world)
    await markDevice(ctx(), { emailKey: email, passwordHash })
    return triesKey(ctx(), email)
  }
  const keys = [await marked('first'), await marked('second'), await marked('third')]
  expect(new Set(keys).size).toBe(1)
  expect(keys).not.toContain(await triesKey(world.ctx(), email))
})

test('strangers who use up the passwords and the mails of a day do not stop a reset by mail', async () => {
  const [world, { email }] = await worldWith(someone)
  const own = await newBrowser(world, { email })
  await useUp(world, email)
  const forget = (browser: Pick<Browser, 'ctx'>) =>
    forgotPassword(browser.ctx(), { ...NO_INPUT, body: { email } })
  for (let made = 0; made <= DAILY_LIMITS.mail; made += 1) await forget(world)
  const links = async () => {
    const rows = await mailsAt(world.ctx(), email)
    return rows.flatMap(({ payload }) => /"secret":"([\w-]+)"/.exec(payload)?.[1] ?? [])
  }
  const before = await links()
  await forget(own)
  const [token = ''] = (await links()).filter((secret) => !before.includes(secret))
  const visitor = await newBrowser(world)
  const params = { token }
  await resetPassword(visitor.ctx(), { ...NO_INPUT, params, body: { password: OTHER } })
  await refused(world, email, OTHER)
  await signIn(visitor, email, OTHER)
})

test('a mark counts after its secret was rotated, as does a signed one of before, and not after its secret is gone', async () => {
  const [world, { email }] = await worldWith(someone)
  const own = await newBrowser(world, { email })
  const { keys, deviceMark } = own.ctx()
  const [first] = keys
  const next = { kid: 'k2', secret: new TextEncoder().encode('another-secret-'.repeat(3)) }
  const credential = await sha256Hex(cheapHash())
  const signed = await seal(world.ctx(), 'device-mark', {
    email: await sha256Hex(email),
    credential,
    lifetimeMs: days(1),
  })
  const credentials = ({ given }: { given: string }, ...accepted: [BearerKey, ...BearerKey[]]) =>
    markedCredential(
      { ...world.ctx(), keys: accepted, deviceMark: { ...deviceMark, given } },
      email,
    )
  for (const mark of [deviceMark, { given: signed }]) {
    expect(await credentials(mark, next, first)).toBe(credential)
    expect(await credentials(mark, next)).toBeNull()
    expect(await credentials({ given: mark.given.replace(/.$/, '!') }, first)).toBeNull()
  }
})

test('a device is known by the mark of its browser, or by its name together with its network', async () => {
  const [world, { email, claims }] = await worldWith(someone)
  const own = await newBrowser(world, { email })
  const elsewhere = ({ ctx }: Pick<Browser, 'ctx'>) => ({
    ctx: () => ({ ...ctx(), visitor: { ...ctx().visitor, ipPrefix: '198.51.100.0/24' } }),
  })
  const newDevices = async () => {
    const sent = await mailsOf(world.ctx(), claims.userId)
    return sent.filter(({ kind }) => kind === 'new_device').length
  }
  await signIn(elsewhere(own), email)
  expect(await newDevices()).toBe(0)
  // The device's name and network are those of its first session.
  await signIn(world, email)
  expect(await newDevices()).toBe(0)
  const signInAs = (visitor: Partial<Visitor>) => {
    const ctx = { ...world.ctx(), visitor: { ...world.ctx().visitor, ...visitor } }
    return signIn({ ctx: () => ctx }, email)
  }
  await signInAs({ ipPrefix: '203.0.113.0/24' })
  expect(await newDevices()).toBe(1)
  await signInAs({ device: 'Edge on Windows' })
  expect(await newDevices()).toBe(2)
})
