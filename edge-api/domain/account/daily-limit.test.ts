import { approveDevice } from '#harness/fixture/device.ts'
import { setUpPasskey, setUpTotp } from '#harness/factors.ts'
import { newRegistration } from '#harness/registration.ts'
import { APPLICATION } from '#harness/application.ts'
import { mailsAt, rowsOf, countToday } from '#harness/fixture/rows.ts'
import { randomUUID } from 'node:crypto'
import { and, eq, isNull, like, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cheapHash, createAccount, fixtureWith, openAccount } from '#harness/fixture/account.ts'
import { callOf, createFixture, NO_INPUT, type Fixture } from '#harness/fixture/fixture.ts'
import { DAILY_LIMITS, RESET_LINK_HOURS } from '../../../src/contract/limits.ts'
import { DOWNLOAD, SERVER, TOAST } from '../../../src/contract/messages.ts'
import { TicketInput } from '../../../src/contract/support.ts'
import { brand } from '../../../site/brand.ts'
import type { Claims, Context } from '../context.ts'
import { accountEvents, dailyCounts, mails } from '../../db/schema/records.ts'
import { mailedLinks } from '../../db/schema/sessions.ts'
import { applyForJob, submitTicket } from '../support/submit.ts'
import { days, minutes } from '../time.ts'
import { dailyCounter } from './daily-limit.ts'
import { unverifiedMails } from './unverified-mails.ts'
import { deleteAccount } from '../data-rights/delete-account.ts'
import { rememberDevice } from './device-cookie.ts'
import { renewRecoveryCodes } from '../factors/list-factors.ts'
import { removeTotp } from '../factors/totp-factor.ts'
import { forgotPassword } from '../password/reset-password.ts'
import { register } from '../sign-in/register.ts'
import { mailDownload } from '../desktop-app/mail-download.ts'
import { resendVerification } from '../mailed-link/verify-email.ts'
import { elsewhere, newBrowser } from '#harness/fixture/sign-in.ts'

async function someone(fixture: Fixture, overrides: Parameters<typeof createAccount>[1] = {}) {
  const claims = await createAccount(fixture.ctx(), overrides)
  return { claims, email: claims.email }
}

const mailed = async ({ ctx }: Fixture, email: string) => (await mailsAt(ctx(), email)).length

const forget = (fixture: Fixture, email: string) =>
  forgotPassword(fixture.ctx(), { ...NO_INPUT, body: { email } })

/** As after a day of mails to an unverified address, of which so many are left: of its own, and of its mailbox. */
async function leaveMails({ ctx }: Fixture, email: string, left: number) {
  const { own, ofMailbox } = await unverifiedMails(ctx(), email)
  const rows = [own, ofMailbox].flatMap((count) =>
    count === null ? [] : [{ ...count, count: DAILY_LIMITS[count.kind] - left }],
  )
  await ctx().db.batch([ctx().db.insert(dailyCounts).values(rows)])
}

async function repeat(count: number, call: () => Promise<unknown>) {
  for (let made = 0; made < count; made += 1) await call()
}

test('a new reset link ends the older ones, and beyond the limit one is sent only when no earlier link works', async () => {
  const fixture = createFixture()
  const { claims, email } = await someone(fixture, { emailVerifiedAt: fixture.now() })
  const answer = await forget(fixture, email)
  await repeat(DAILY_LIMITS.reset + 5, () => forget(fixture, email))
  expect(await mailed(fixture, email)).toBe(DAILY_LIMITS.reset)
  const open = await rowsOf(
    fixture.ctx().db,
    mailedLinks,
    and(eq(mailedLinks.userId, claims.userId), isNull(mailedLinks.voidedAt)),
  )
  expect(open, 'the reset links of the account that work').toHaveLength(1)
  expect(await forget(fixture, email)).toEqual(answer)
  fixture.advance(minutes(RESET_LINK_HOURS * 60))
  await repeat(3, () => forget(fixture, email))
  expect(await mailed(fixture, email)).toBe(DAILY_LIMITS.reset + 1)
})

test('tickets and applications of strangers use up no other mails, and one mailbox gets few acknowledgements a day', async () => {
  const [fixture, { email }] = await fixtureWith(someone)
  const write = (from: string) =>
    submitTicket(fixture.ctx(), {
      ...NO_INPUT,
      body: TicketInput.parse({ email: from, query: randomUUID() }),
    })
  const [name, domain] = email.split('@')
  await repeat(2, () => write(email))
  await applyForJob(fixture.ctx(), { ...NO_INPUT, body: { ...APPLICATION, email } })
  await expect(write(`${name}+1@${domain}`)).resolves.toMatchObject({ success: true })
  expect(await mailed(fixture, `${name}+1@${domain}`)).toBe(0)
  expect(await mailed(fixture, email)).toBe(DAILY_LIMITS.acknowledgement)
  await forget(fixture, email)
  expect(await mailed(fixture, email)).toBe(DAILY_LIMITS.acknowledgement + 1)
})

test('after many tickets and applications from one network today no more are stored, but a verified account has ten of its own', async () => {
  const fixture = createFixture()
  const ipPrefix = '203.0.113.0/24'
  const { ctx } = elsewhere(fixture, { ipPrefix })
  await countToday(ctx(), ['submission', ipPrefix], DAILY_LIMITS.submission - 1)
  const write = async (query: string, claims: Claims | null = null) => {
    const body = TicketInput.parse({ email: `${randomUUID()}@example.test`, query })
    await submitTicket(ctx(), { ...NO_INPUT, body, claims })
    const toTeam = await rowsOf(ctx().db, mails, like(mails.payload, `%${query}%`))
    return [toTeam.length, await mailed(fixture, body.email)]
  }
  expect(await write(randomUUID())).toEqual([1, 1])
  const refused = { code: 'RATE_LIMITED', message: expect.stringContaining(brand.supportEmail) }
  const { claims } = await someone(fixture, { emailVerifiedAt: fixture.now() })
  const { claims: unverified } = await someone(fixture)
  for (const sender of [null, unverified]) {
    await expect(write(randomUUID(), sender)).rejects.toMatchObject(refused)
  }
  await repeat(DAILY_LIMITS.ownSubmission, () => write(randomUUID(), claims))
  const last = randomUUID()
  await expect(write(last, claims)).rejects.toMatchObject(refused)
  expect(await fixture.read(sql`SELECT 1 FROM support_tickets WHERE query = ${last}`)).toEqual([])
})

test.each([
  ['the link to the downloads', DAILY_LIMITS.download, mailDownload, { emailVerifiedAt: 1 }],
  ['a verification', DAILY_LIMITS.verification, resendVerification, {}],
  [
    'a new way to sign in',
    DAILY_LIMITS.addition,
    (ctx: Context, { claims }: { claims: Claims }) => approveDevice(ctx, claims),
    { emailVerifiedAt: 1 },
  ],
])('%s is mailed at most %d times a day', async (_, limit, send, account) => {
  const { fixture, claims } = await openAccount(account)
  const call = () => send(fixture.ctx(), callOf(claims))
  await repeat(limit, call)
  // The clock stands at noon.
  const detail = { retryAfterSeconds: 43_200 }
  const rejection = { code: 'RATE_LIMITED', message: SERVER.dailyLimit, detail }
  await expect(call()).rejects.toMatchObject(rejection)
  fixture.advance(days(1))
  await call()
  expect(await mailed(fixture, claims.email)).toBe(limit + 1)
})

test('second steps and recovery codes count as new ways to sign in; removing one does not', async () => {
  const { fixture, claims } = await openAccount({ emailVerifiedAt: 1 })
  await setUpTotp(fixture.ctx(), claims)
  await countToday(fixture.ctx(), ['addition', claims.userId], DAILY_LIMITS.addition)
  const refused = { code: 'RATE_LIMITED', message: SERVER.dailyLimit }
  await expect(setUpPasskey(fixture.ctx(), claims)).rejects.toMatchObject(refused)
  const renewal = renewRecoveryCodes(fixture.ctx(), callOf(claims))
  await expect(renewal).rejects.toMatchObject(refused)
  await removeTotp(fixture.ctx(), callOf(claims))
  await expect(setUpTotp(fixture.ctx(), claims)).rejects.toMatchObject(refused)
})

test('the link to the downloads is mailed to a verified address alone', async () => {
  const { fixture, claims } = await openAccount()
  const rejection = { code: 'NOTHING_TO_CHANGE', message: DOWNLOAD.unverified }
  await expect(mailDownload(fixture.ctx(), callOf(claims))).rejects.toMatchObject(rejection)
  expect(await mailed(fixture, claims.email)).toBe(0)
})

test("registering somebody else's address sends it few mails a day, none with the stranger's words, and a verified one gets all", async () => {
  const phrase = 'Claim your prize at evil.example'
  for (const [emailVerifiedAt, count] of [
    [null, 2],
    [1, 4],
  ] as const) {
    const { fixture, claims } = await openAccount({ emailVerifiedAt })
    await leaveMails(fixture, claims.email, 1)
    await repeat(4, () => approveDevice(fixture.ctx(), claims, phrase))
    const sent = await mailsAt(fixture.ctx(), claims.email)
    expect(sent).toHaveLength(count)
    expect(sent.some(({ payload }) => payload.includes(phrase))).toBe(emailVerifiedAt !== null)
  }
})

test('browsers with device cookies of an unverified address share its daily mails', async () => {
  const fixture = createFixture()
  const passwordHash = cheapHash()
  const { email } = await someone(fixture, { passwordHash })
  const { ctx } = newBrowser(fixture)
  await leaveMails(fixture, email, 1)
  // As after three changes of the password: two cookies are old, and one is as it should be.
  for (const hash of ['one', 'two', passwordHash]) {
    await rememberDevice(ctx(), { emailKey: email, passwordHash: hash })
    await forgotPassword(ctx(), { ...NO_INPUT, body: { email } })
  }
  expect(await mailed(fixture, email)).toBe(2)
})

test('an unverified mailbox gets few mails a day, however many addresses of it are registered, forgotten and deleted', async () => {
  const fixture = createFixture()
  const first = newRegistration()
  let made = 0
  await leaveMails(fixture, first.email.replace('@', '+0@'), 3)
  await repeat(3, async () => {
    made += 1
    const email = first.email.replace('@', `+${made}@`)
    const body = { ...first, username: `${first.username}_${made}`, email }
    await register(fixture.ctx(), { ...NO_INPUT, body })
    await forget(fixture, email)
    const again = { ...body, username: `${body.username}x` }
    await expect(register(fixture.ctx(), { ...NO_INPUT, body: again })).rejects.toThrow()
    // Deletion erases an account's mails, which are counted below, so this account got none before.
    const { claims } = await someone(fixture, { email: first.email.replace('@', `+d${made}@`) })
    const erasing = await deleteAccount(fixture.ctx(), { ...callOf(claims), body: {} })
    expect(erasing.success).toBe(true)
  })
  const sent = await rowsOf(fixture.ctx().db, mails, like(mails.toAddress, `${first.username}+%`))
  expect(sent).toHaveLength(3)
  // The address that they are variants of has its own.
  const joined = await register(fixture.ctx(), { ...NO_INPUT, body: first })
  await repeat(DAILY_LIMITS.ownMail, () => forget(fixture, first.email))
  expect(joined.message).toBe(TOAST.registered)
  expect(await mailed(fixture, first.email)).toBe(DAILY_LIMITS.ownMail)
})

test('one network can make a bounded number of accounts a day, and rejected registrations do not count', async () => {
  const fixture = createFixture()
  const ipPrefix = '198.51.100.0/24'
  const { db } = fixture.ctx()
  const from = (ipPrefix: string) => elsewhere(fixture, { ipPrefix }).ctx()
  const join = (prefix: string) => register(from(prefix), { ...NO_INPUT, body: newRegistration() })
  const body = newRegistration()
  await register(from(ipPrefix), { ...NO_INPUT, body })
  const again = () => register(from(ipPrefix), { ...NO_INPUT, body })
  for (let refused = 0; refused < 3; refused += 1) {
    await expect(again()).rejects.toMatchObject({ code: 'EMAIL_TAKEN' })
  }
  const counted = await dailyCounter(from(ipPrefix), 'signUp', ipPrefix)
  const isCounter = eq(dailyCounts.keyHash, counted.keyHash)
  const rows = await rowsOf(db, dailyCounts, isCounter)
  expect(rows).toMatchObject([{ count: 1 }])
  await countToday(from(ipPrefix), ['signUp', ipPrefix], DAILY_LIMITS.signUp)
  await expect(join(ipPrefix)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    message: SERVER.dailyLimit,
  })
  const isHere = sql`${accountEvents.ipPrefix} = ${ipPrefix} AND ${accountEvents.kind} = 'registered'`
  expect(await rowsOf(db, accountEvents, isHere)).toHaveLength(1)
  await expect(join(`${ipPrefix}2`)).resolves.toMatchObject({ success: true })
})
