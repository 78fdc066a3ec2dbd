import { mailsOf, newLink, secretIn, countToday } from '#harness/fixture/rows.ts'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { DAILY_LIMITS } from '../../../src/contract/limits.ts'
import { cheapHash, fixtureWith, accountWithPassword } from '#harness/fixture/account.ts'
import { callOf, createFixture, NO_INPUT, type Fixture } from '#harness/fixture/fixture.ts'
import { hasDeviceCookie, knownBrowserKey, rememberDevice } from '../account/device-cookie.ts'
import { changePassword } from '../password/change-password.ts'
import { forgotPassword } from '../password/reset-password.ts'
import { FairQueue } from '../fair-queue.ts'
import { signValue } from '../crypto/sign.ts'
import type { Context, SigningKey } from '../context.ts'
import { sha256Hex } from '../encoding.ts'
import { afterHash } from '#harness/fixture/hashing.ts'
import { days } from '../time.ts'
import { signIn, resetWith, elsewhere, newBrowser } from '#harness/fixture/sign-in.ts'
import { PASSWORD } from '#harness/user.ts'

const OTHER = 'Quiet-Heron-43'

/** A browser in which this account was signed in before, by default with its present password. */
async function ownBrowser(fixture: Fixture, emailKey: string, passwordHash = cheapHash()) {
  const browser = newBrowser(fixture)
  await rememberDevice(browser.ctx(), { emailKey, passwordHash })
  return browser
}

const keyOf = async (browser: Pick<Fixture, 'ctx'>, email: string) =>
  (await knownBrowserKey(browser.ctx(), email)) ?? email

async function someone(fixture: Fixture) {
  const claims = await accountWithPassword(fixture)
  return { claims, email: claims.email }
}

/** Counts this many wrong passwords of strangers, without hashing them. */
const useUp = (fixture: Fixture, email: string, count: number = DAILY_LIMITS.password) =>
  countToday(fixture.ctx(), ['password', email], count)

const refused = (browser: Pick<Fixture, 'ctx'>, email: string, password?: string) =>
  expect(signIn(browser, email, password)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    message: expect.stringContaining('reset your password by email'),
  })

test('a known browser, a session and the reader of a reset link wait in the queue for hashes under their account, and a stranger does not', async () => {
  const [fixture, { email, claims }] = await fixtureWith(someone)
  const accounts: (string | undefined)[] = []
  const heard = (ctx: Context) => afterHash(ctx, (known) => accounts.push(known))
  const own = await ownBrowser(fixture, email)
  const ownKey = await keyOf(own, email)
  for (const { ctx } of [own, fixture]) await signIn({ ctx: () => heard(ctx()) }, email)
  const body = { currentPassword: PASSWORD, newPassword: OTHER }
  await changePassword(heard(fixture.ctx()), { ...callOf(claims), body })
  const { userId } = claims
  const token = await newLink(fixture.ctx(), userId, 'reset')
  await resetWith({ ctx: () => heard(fixture.ctx()) }, token, PASSWORD)
  // The second hash renews the stored one.
  expect(accounts).toEqual([ownKey, userId, undefined, userId, userId, userId])
})

test('many wrong passwords at once do not exceed the daily limit, and a browser that signed in before still signs in', async () => {
  const [fixture, { email }] = await fixtureWith(someone)
  const own = await ownBrowser(fixture, email)
  await useUp(fixture, email, DAILY_LIMITS.password - 10)
  const wave = Array.from({ length: 20 }, () => signIn(fixture, email, 'Wrong-Otter-42'))
  const outcomes = await Promise.allSettled(wave)
  const codes = outcomes.map((one) => (one.status === 'rejected' ? one.reason.code : 'in'))
  const count = (code: string) => codes.filter((one) => one === code).length
  expect(count('INVALID_CREDENTIALS') + count('OVERLOADED')).toBe(10)
  expect(count('RATE_LIMITED')).toBe(10)
  await refused(fixture, email)
  await signIn(own, email)
  fixture.advance(days(1))
  await signIn(fixture, email)
})

test('a sign-in for which the queue for hashes has no place is not counted as a wrong password', async () => {
  const [fixture, { email }] = await fixtureWith(someone)
  await useUp(fixture, email, DAILY_LIMITS.password - 1)
  const ctx = fixture.ctx()
  const time = { clock: ctx.clock, pause: () => Promise.resolve() }
  const hashes = new FairQueue({ atOnce: 1, places: 0, secondsEach: 1 }, time)
  const overloaded = signIn({ ctx: () => ({ ...ctx, queues: { ...ctx.queues, hashes } }) }, email)
  await expect(overloaded).rejects.toMatchObject({ code: 'OVERLOADED' })
  await fixture.drain()
  await signIn(fixture, email)
})

test('an unknown address is rejected like a known one, and right passwords do not count', async () => {
  const fixture = createFixture()
  const unknown = `${randomUUID()}@example.test`
  await useUp(fixture, unknown, DAILY_LIMITS.password - 1)
  await expect(signIn(fixture, unknown)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' })
  await refused(fixture, unknown)
  const { email } = await someone(fixture)
  await useUp(fixture, email, DAILY_LIMITS.password - 1)
  await signIn(fixture, email)
  await signIn(fixture, email)
})

test('a known browser has a bounded number of tries too', async () => {
  const [fixture, { email }] = await fixtureWith(someone)
  const own = await ownBrowser(fixture, email)
  await useUp(fixture, email)
  await useUp(fixture, await keyOf(own, email), DAILY_LIMITS.password - 1)
  await signIn(own, email)
  await useUp(fixture, await keyOf(own, email))
  await refused(own, email)
  // The device cookie of one account is worth nothing for another.
  const other = await someone(fixture)
  await useUp(fixture, other.email)
  await refused(own, other.email)
})

test('whoever had an earlier password tries as a stranger, and uses up nothing of the browsers that have the present one', async () => {
  const [fixture, { email }] = await fixtureWith(someone)
  const own = await ownBrowser(fixture, email)
  const former = await ownBrowser(fixture, email, cheapHash('another-salt-of-16'))
  await useUp(fixture, await keyOf(former, email))
  await useUp(fixture, email, DAILY_LIMITS.password - 1)
  const wrong = signIn(former, email, 'Wrong-Otter-42')
  await expect(wrong).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' })
  await refused(former, email)
  await signIn(own, email)
})

test('strangers who use up the passwords and the mails of a day do not stop a reset by mail', async () => {
  const [fixture, { email, claims }] = await fixtureWith(someone)
  const own = await ownBrowser(fixture, email)
  await useUp(fixture, email)
  const forget = (browser: Pick<Fixture, 'ctx'>) =>
    forgotPassword(browser.ctx(), { ...NO_INPUT, body: { email } })
  for (let made = 0; made <= DAILY_LIMITS.mail; made += 1) await forget(fixture)
  const link = () => secretIn(fixture.ctx(), claims.userId, 'reset_password')
  const before = await link()
  fixture.advance(1)
  await forget(own)
  const token = await link()
  expect(token).not.toBe(before)
  const visitor = newBrowser(fixture)
  await resetWith(visitor, token, OTHER)
  await refused(fixture, email, OTHER)
  await signIn(visitor, email, OTHER)
})

test('a device cookie counts after its secret was rotated, as does a signed one of before, and not after its secret is gone', async () => {
  const [fixture, { email }] = await fixtureWith(someone)
  const own = await ownBrowser(fixture, email)
  const { keys, deviceCookie } = own.ctx()
  const [first] = keys
  const next = { kid: 'k2', secret: new TextEncoder().encode('another-secret-'.repeat(3)) }
  const signed = await signValue(fixture.ctx(), 'device-mark', {
    email: await sha256Hex(email),
    credential: await sha256Hex(cheapHash()),
    lifetimeMs: days(1),
  })
  const isKnown = ({ given }: { given: string }, ...accepted: [SigningKey, ...SigningKey[]]) =>
    hasDeviceCookie(
      { ...fixture.ctx(), keys: accepted, deviceCookie: { ...deviceCookie, given } },
      { emailKey: email, passwordHash: cheapHash() },
    )
  for (const cookie of [deviceCookie, { given: signed }]) {
    expect(await isKnown(cookie, next, first)).toBe(true)
    expect(await isKnown(cookie, next)).toBe(false)
    expect(await isKnown({ given: cookie.given.replace(/.$/, '!') }, first)).toBe(false)
  }
})

test('a device is known by the cookie of its browser, or by its name together with its network', async () => {
  const [fixture, { email, claims }] = await fixtureWith(someone)
  const own = await ownBrowser(fixture, email)
  const newDevices = async () => {
    const sent = await mailsOf(fixture.ctx(), claims.userId)
    return sent.filter(({ kind }) => kind === 'new_device').length
  }
  await signIn(elsewhere(own), email)
  expect(await newDevices()).toBe(0)
  // The device's name and network are those of its first session.
  await signIn(fixture, email)
  expect(await newDevices()).toBe(0)
  await signIn(elsewhere(fixture, { ipPrefix: '203.0.113.0/24' }), email)
  expect(await newDevices()).toBe(1)
  await signIn(elsewhere(fixture, { device: 'Edge on Windows' }), email)
  expect(await newDevices()).toBe(2)
})
