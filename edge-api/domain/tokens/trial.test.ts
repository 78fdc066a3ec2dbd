import { newLink, secretIn, countToday, rowsOf } from '#harness/fixture/rows.ts'
import { eq, sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { cheapHash, createAccount, openSession } from '#harness/fixture/account.ts'
import { emptyFixture } from '#harness/fixture/empty-fixture.ts'
import { callOf, type Fixture } from '#harness/fixture/fixture.ts'
import { TRIAL_TOKENS } from '../../../src/contract/answers.ts'
import { DAILY_LIMITS } from '../../../src/contract/limits.ts'
import { VERIFICATION } from '../../../src/contract/session-messages.ts'
import type { Claims } from '../context.ts'
import { deleteAccount } from '../data-rights/delete-account.ts'
import { resendVerification } from '../mailed-link/verify-email.ts'
import { users } from '../../db/schema/users.ts'
import { resolveIdentity } from '../sign-in/resolve-identity.ts'
import { days } from '../time.ts'
import { showUsage } from './show-usage.ts'
import { trialFor, trialStatements } from './trial.ts'
import { useTokens } from './use-tokens.ts'
import { resetWith, verifyWith } from '#harness/fixture/sign-in.ts'

const accountAt = (fixture: Fixture, email: string) =>
  createAccount(fixture.ctx(), { email, emailKey: email, passwordHash: cheapHash() })

const NEW_PASSWORD = 'Louder-Otter-43'

async function verify(fixture: Fixture, claims: Claims) {
  const token = await newLink(fixture.ctx(), claims.userId, 'verify')
  await verifyWith(fixture, token)
  return token
}

async function reset(fixture: Fixture, { userId }: Claims) {
  await resetWith(fixture, await newLink(fixture.ctx(), userId, 'reset'), NEW_PASSWORD)
  return openSession(fixture.ctx(), userId)
}

async function trialOf(fixture: Fixture, claims: Claims): Promise<number> {
  const { newcomer, tokens } = await showUsage(fixture.ctx(), {
    ...callOf(claims),
    query: { days: 1 },
  })
  expect(tokens.total).toBe(newcomer.trialTokens)
  return newcomer.trialTokens
}

/** Signs in with Google, and returns a session of the account that Google made or joined. */
async function enterWith(fixture: Fixture, email: string, subject: string): Promise<Claims> {
  const name = { name: '', firstName: null, lastName: null }
  await resolveIdentity(fixture.ctx(), { subject, email, isEmailVerified: true, ...name })
  const [user] = await rowsOf(fixture.ctx().db, users, eq(users.googleSubject, subject))
  return openSession(fixture.ctx(), user?.id ?? '')
}

test('ten verifications at once grant, count and notify of the trial once, in one payment mode, and its tokens need no plan', async () => {
  const fixture = await emptyFixture()
  const claims = await accountAt(fixture, 'ada@example.test')
  expect(await trialOf(fixture, claims)).toBe(0)
  const token = await newLink(fixture.ctx(), claims.userId, 'verify')
  await Promise.all(Array.from({ length: 10 }, () => verifyWith(fixture, token)))
  expect(await trialOf(fixture, claims)).toBe(TRIAL_TOKENS)
  const used = await useTokens(fixture.ctx(), { ...callOf(claims), body: { amount: 1_500 } })
  expect(used.tokens).toEqual({ used: 1_500, total: TRIAL_TOKENS })
  expect(
    await fixture.read(`SELECT kind FROM account_events WHERE kind = 'trial_granted'`),
  ).toHaveLength(1)
  expect(await fixture.read(`SELECT kind, count FROM daily_counts ORDER BY kind`)).toEqual([
    { kind: 'networkTrial', count: 1 },
    { kind: 'trial', count: 1 },
  ])
  const call = { ...callOf(claims), query: { days: 1 } }
  expect((await showUsage(fixture.ctxOf('live'), call)).newcomer.trialTokens).toBe(0)
})

test('a mailbox has one trial, however its address is written and after its account was deleted', async () => {
  const fixture = await emptyFixture()
  const first = await accountAt(fixture, 'ada.l@gmail.com')
  const again = await reset(fixture, first)
  expect(await trialOf(fixture, again)).toBe(TRIAL_TOKENS)
  const alias = await accountAt(fixture, 'adal+2@googlemail.com')
  await verify(fixture, alias)
  expect(await trialOf(fixture, alias)).toBe(0)

  // Also after the session keys were replaced.
  const keys = [{ kid: 'k9', secret: new TextEncoder().encode('another-'.repeat(4)) }] as const
  const late = await accountAt(fixture, 'ada.l+late@gmail.com')
  await verify({ ...fixture, ctx: () => ({ ...fixture.ctx(), keys }) }, late)
  expect(await trialOf(fixture, late)).toBe(0)

  await deleteAccount(fixture.ctx(), { ...callOf(again), body: { password: NEW_PASSWORD } })
  const back = await accountAt(fixture, 'ada.l@gmail.com')
  await verify(fixture, back)
  expect(await trialOf(fixture, back)).toBe(0)
  expect(await fixture.read('SELECT count(*) AS n FROM trials')).toEqual([{ n: 1 }])
})

test('a Google account has one trial, also one that was connected later', async () => {
  const fixture = await emptyFixture()
  const leave = () =>
    fixture.read(`UPDATE users SET google_subject = NULL, email_key = id, deleted_at = 1`)
  expect(await trialOf(fixture, await enterWith(fixture, 'one@example.test', 'g-1'))).toBe(
    TRIAL_TOKENS,
  )
  await leave()
  expect(await trialOf(fixture, await enterWith(fixture, 'two@example.test', 'g-1'))).toBe(0)

  const claims = await accountAt(fixture, 'three@example.test')
  await verify(fixture, claims)
  const joined = await enterWith(fixture, 'three@example.test', 'g-3')
  const neighbour = await accountAt(fixture, 'neighbour@example.test')
  await verify(fixture, neighbour)
  expect(await trialOf(fixture, neighbour)).toBe(TRIAL_TOKENS)
  expect(joined.userId).toBe(claims.userId)
  expect(await trialOf(fixture, joined)).toBe(TRIAL_TOKENS)
  await leave()
  expect(await trialOf(fixture, await enterWith(fixture, 'four@example.test', 'g-3'))).toBe(0)
})

test('the operator is alerted before the trials of a day are used up, and the next day has new ones', async () => {
  const fixture = await emptyFixture()
  const given = (count: number) => countToday(fixture.ctx(), ['trial', 'everybody'], count)
  await given(DAILY_LIMITS.trial / 5 - 1)
  await enterWith(fixture, 'many@example.test', 'g-0')
  await given(DAILY_LIMITS.trial - 1)
  expect(await trialOf(fixture, await enterWith(fixture, 'last@example.test', 'g-1'))).toBe(
    TRIAL_TOKENS,
  )
  const late = await enterWith(fixture, 'late@example.test', 'g-2')
  expect(await trialOf(fixture, late)).toBe(0)
  const event = 'the trials of today are being used up'
  expect(fixture.alerts).toEqual([
    { event, fields: { trials: DAILY_LIMITS.trial / 5, of: DAILY_LIMITS.trial } },
    { event, fields: { trials: DAILY_LIMITS.trial, of: DAILY_LIMITS.trial } },
  ])
  fixture.advance(days(1))
  expect(await trialOf(fixture, await enterWith(fixture, 'late@example.test', 'g-2'))).toBe(
    TRIAL_TOKENS,
  )
})

test('who proved the address by a reset on a day without trials gets one with a link mailed later', async () => {
  const fixture = await emptyFixture()
  await countToday(fixture.ctx(), ['trial', 'everybody'], DAILY_LIMITS.trial)
  const claims = await reset(fixture, await accountAt(fixture, 'late@example.test'))
  expect(await trialOf(fixture, claims)).toBe(0)
  fixture.advance(days(1))
  const resend = () => resendVerification(fixture.ctx(), callOf(claims))
  expect((await resend()).message).toBe(VERIFICATION.sentAgain)
  await verifyWith(fixture, await secretIn(fixture.ctx(), claims.userId, 'verify_address'))
  expect(await trialOf(fixture, claims)).toBe(TRIAL_TOKENS)
  expect((await resend()).message).toBe(VERIFICATION.alreadyVerified)
})

test('when the trials of a network are used up, its other accounts get none, and nobody is alerted', async () => {
  const fixture = await emptyFixture()
  const { visitor } = fixture.ctx()
  const count = DAILY_LIMITS.networkTrial - 1
  await countToday(fixture.ctx(), ['networkTrial', visitor.ipPrefix], count)
  expect(await trialOf(fixture, await enterWith(fixture, 'last@example.test', 'g-1'))).toBe(
    TRIAL_TOKENS,
  )
  expect(await trialOf(fixture, await enterWith(fixture, 'late@example.test', 'g-2'))).toBe(0)
  expect([fixture.alerts, fixture.errors]).toEqual([[], []])
})

test('an account whose address is not verified, or that is deleted, has no trial, whatever others have', async () => {
  const fixture = await emptyFixture()
  await enterWith(fixture, 'other@example.test', 'g-1')
  const email = 'ada@example.test'
  const { userId } = await accountAt(fixture, email)
  const grant = async () => {
    const ctx = fixture.ctx()
    const person = { userId, email, googleSubject: null }
    await ctx.db.batch(trialStatements(ctx, await trialFor(ctx, person)))
    return (await fixture.read(`SELECT * FROM ledger WHERE user_id = '${userId}'`)).length
  }
  expect(await grant()).toBe(0)
  await fixture.read(
    `UPDATE users SET email_verified_at = 1, deleted_at = 1 WHERE id = '${userId}'`,
  )
  expect(await grant()).toBe(0)
  await fixture.read(`UPDATE users SET deleted_at = NULL WHERE id = '${userId}'`)
  expect(await grant()).toBe(1)
})

test('usage tells whether a desktop app was signed in, and whether verifying brings trial tokens', async () => {
  const fixture = await emptyFixture()
  const claims = await accountAt(fixture, 'ada@example.test')
  const newcomer = async () =>
    (await showUsage(fixture.ctx(), { ...callOf(claims), query: { days: 1 } })).newcomer
  const signInApp = async (userId: string) => {
    const { sessionId } = await openSession(fixture.ctx(), userId)
    await fixture.read(sql`UPDATE sessions SET kind = 'desktop' WHERE id = ${sessionId}`)
  }
  await signInApp((await accountAt(fixture, 'eve@example.test')).userId)
  expect(await newcomer()).toMatchObject({ hasDesktopApp: false, isTrialOn: true })
  await signInApp(claims.userId)
  onTestFinished(async () => void (await fixture.read('DELETE FROM switches')))
  await fixture.read(
    `INSERT INTO switches (name, is_on, text, changed_at, version) VALUES ('trial', 0, '', 1, 1)`,
  )
  expect(await newcomer()).toMatchObject({ hasDesktopApp: true, isTrialOn: false })
})
