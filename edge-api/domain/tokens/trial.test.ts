import { newLink } from '../../../tests/harness/fixture/rows.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cheapHash, createAccount, sessionRow } from '../../../tests/harness/fixture/account.ts'
import { emptyFixture } from '../../../tests/harness/fixture/empty-fixture.ts'
import { callOf, NO_INPUT, type Fixture } from '../../../tests/harness/fixture/fixture.ts'
import { TRIAL_TOKENS } from '../../../src/contract/answers.ts'
import { DAILY_LIMITS } from '../../../src/contract/limits.ts'
import { VERIFICATION } from '../../../src/contract/session-messages.ts'
import type { Claims } from '../context.ts'
import { dailyCount } from '../account/daily-limit.ts'
import { deleteAccount } from '../data-rights/delete-account.ts'
import { resetPassword } from '../password/reset-password.ts'
import { resendVerification, verifyEmail } from '../mailed-link/verify-email.ts'
import { dailyCounts } from '../../db/schema/records.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { resolveIdentity } from '../sign-in/resolve-identity.ts'
import { days } from '../time.ts'
import { showUsage } from './show-usage.ts'
import { trialFor, trialStatements } from './trial.ts'
import { useTokens } from './use-tokens.ts'

const accountAt = (fixture: Fixture, email: string) =>
  createAccount(fixture.ctx(), { email, emailKey: email, passwordHash: cheapHash() })

async function verify(fixture: Fixture, claims: Claims) {
  const token = await newLink(fixture.ctx(), claims.userId, 'verify')
  await verifyEmail(fixture.ctx(), { ...NO_INPUT, params: { token } })
  return token
}

async function trialOf(fixture: Fixture, claims: Claims): Promise<number> {
  const { newcomer, tokens } = await showUsage(fixture.ctx(), {
    ...callOf(claims),
    query: { days: 1 },
  })
  expect(tokens.total).toBe(newcomer.trialTokens)
  return newcomer.trialTokens
}

/** A new session of the account, as its browser or its app opens one. */
async function signedIn(fixture: Fixture, userId: string, kind: 'browser' | 'desktop' = 'browser') {
  const ctx = fixture.ctx()
  const session = { ...sessionRow(ctx, userId), kind }
  await ctx.db.batch([ctx.db.insert(sessions).values(session)])
  return { userId, sessionId: session.id }
}

/** Signs in with Google, and returns a session of the account that Google made or joined. */
async function enterWith(fixture: Fixture, email: string, subject: string): Promise<Claims> {
  const identity = {
    subject,
    email,
    isEmailVerified: true,
    name: '',
    firstName: null,
    lastName: null,
  }
  await resolveIdentity(fixture.ctx(), identity)
  const ctx = fixture.ctx()
  const [[user]] = await ctx.db.batch([
    ctx.db.select({ id: users.id }).from(users).where(eq(users.googleSubject, subject)),
  ])
  return signedIn(fixture, user?.id ?? '')
}

test('ten verifications at once grant the trial once, and its tokens need no plan', async () => {
  const fixture = await emptyFixture()
  const claims = await accountAt(fixture, 'ada@example.test')
  expect(await trialOf(fixture, claims)).toBe(0)
  const token = await newLink(fixture.ctx(), claims.userId, 'verify')
  await Promise.all(
    Array.from({ length: 10 }, () =>
      verifyEmail(fixture.ctx(), { ...NO_INPUT, params: { token } }),
    ),
  )
  expect(await trialOf(fixture, claims)).toBe(TRIAL_TOKENS)
  const used = await useTokens(fixture.ctx(), { ...callOf(claims), body: { amount: 1_500 } })
  expect(used.tokens).toEqual({ used: 1_500, total: TRIAL_TOKENS })
})

test('a mailbox has one trial, however its address is written and after its account was deleted', async () => {
  const fixture = await emptyFixture()
  const first = await accountAt(fixture, 'ada.l@gmail.com')
  const token = await newLink(fixture.ctx(), first.userId, 'reset')
  await resetPassword(fixture.ctx(), {
    ...NO_INPUT,
    params: { token },
    body: { password: 'Louder-Otter-43' },
  })
  const again = await signedIn(fixture, first.userId)
  expect(await trialOf(fixture, again)).toBe(TRIAL_TOKENS)
  const alias = await accountAt(fixture, 'adal+2@googlemail.com')
  await verify(fixture, alias)
  expect(await trialOf(fixture, alias)).toBe(0)

  // Also after the session keys were replaced.
  const keys = [{ kid: 'k9', secret: new TextEncoder().encode('another-'.repeat(4)) }] as const
  const late = await accountAt(fixture, 'ada.l+late@gmail.com')
  const lateLink = await newLink(fixture.ctx(), late.userId, 'verify')
  await verifyEmail({ ...fixture.ctx(), keys }, { ...NO_INPUT, params: { token: lateLink } })
  expect(await trialOf(fixture, late)).toBe(0)

  await deleteAccount(fixture.ctx(), { ...callOf(again), body: { password: 'Louder-Otter-43' } })
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
  const { db, ...ctx } = fixture.ctx()
  const today = await dailyCount({ ...ctx, db }, 'trial', 'everybody')
  const given = (count: number) =>
    db.batch([
      db
        .insert(dailyCounts)
        .values({ ...today, count })
        .onConflictDoUpdate({ target: dailyCounts.keyHash, set: { count } }),
    ])
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
  const { db, ...ctx } = fixture.ctx()
  const count = DAILY_LIMITS.trial
  await db.batch([
    db
      .insert(dailyCounts)
      .values({ ...(await dailyCount({ ...ctx, db }, 'trial', 'everybody')), count }),
  ])
  const { userId } = await accountAt(fixture, 'late@example.test')
  const token = await newLink(fixture.ctx(), userId, 'reset')
  const body = { password: 'Louder-Otter-43' }
  await resetPassword(fixture.ctx(), { ...NO_INPUT, params: { token }, body })
  const claims = await signedIn(fixture, userId)
  expect(await trialOf(fixture, claims)).toBe(0)
  fixture.advance(days(1))
  const resend = () => resendVerification(fixture.ctx(), callOf(claims))
  expect((await resend()).message).toBe(VERIFICATION.sentAgain)
  const mailed = await fixture.read(
    `SELECT payload ->> 'secret' AS secret FROM mails WHERE kind = 'verify_address'`,
  )
  const link = { ...NO_INPUT, params: { token: String(mailed[0]?.['secret']) } }
  await verifyEmail(fixture.ctx(), link)
  expect(await trialOf(fixture, claims)).toBe(TRIAL_TOKENS)
  expect((await resend()).message).toBe(VERIFICATION.alreadyVerified)
})

test('when the trials of a network are used up, its other accounts get none, and nobody is alerted', async () => {
  const fixture = await emptyFixture()
  const ctx = fixture.ctx()
  const network = await dailyCount(ctx, 'networkTrial', ctx.visitor.ipPrefix)
  const last = { ...network, count: DAILY_LIMITS.networkTrial - 1 }
  await ctx.db.batch([ctx.db.insert(dailyCounts).values(last)])
  expect(await trialOf(fixture, await enterWith(fixture, 'last@example.test', 'g-1'))).toBe(
    TRIAL_TOKENS,
  )
  expect(await trialOf(fixture, await enterWith(fixture, 'late@example.test', 'g-2'))).toBe(0)
  expect([fixture.alerts, fixture.errors]).toEqual([[], []])
})

test('an account is notified of its trial and counted once, and has it in one payment mode', async () => {
  const fixture = await emptyFixture()
  const claims = await accountAt(fixture, 'ada@example.test')
  const token = await verify(fixture, claims)
  await verifyEmail(fixture.ctx(), { ...NO_INPUT, params: { token } })
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

test('usage tells whether a desktop app was signed in', async () => {
  const fixture = await emptyFixture()
  const claims = await accountAt(fixture, 'ada@example.test')
  const call = { ...callOf(claims), query: { days: 1 } }
  const stranger = await accountAt(fixture, 'eve@example.test')
  await signedIn(fixture, stranger.userId, 'desktop')
  expect((await showUsage(fixture.ctx(), call)).newcomer.hasDesktopApp).toBe(false)
  await signedIn(fixture, claims.userId, 'desktop')
  expect((await showUsage(fixture.ctx(), call)).newcomer.hasDesktopApp).toBe(true)
})

test('usage tells whether verifying brings trial tokens: not while they are switched off', async () => {
  const fixture = await emptyFixture()
  const claims = await accountAt(fixture, 'ada@example.test')
  const isTrialOn = async () => {
    const call = { ...callOf(claims), query: { days: 1 } }
    return (await showUsage(fixture.ctx(), call)).newcomer.isTrialOn
  }
  expect(await isTrialOn()).toBe(true)
  await fixture.read(
    `INSERT INTO switches (name, is_on, text, changed_at, version) VALUES ('trial', 0, '', 1, 1)`,
  )
  expect(await isTrialOn()).toBe(false)
})
