import { eventKindsOf, mailsOf, userOf } from '../../../tests/harness/fixture/rows.ts'
import { expect, test } from 'vitest'
import { AUTH } from '../../../src/contract/messages.ts'
import { createAccount, openAccount } from '../../../tests/harness/fixture/account.ts'
import { createFixture, NO_INPUT, type Fixture } from '../../../tests/harness/fixture/fixture.ts'
import { mailedLinks } from '../../db/schema/sessions.ts'
import type { Claims } from '../context.ts'
import { matchPassword } from '../crypto/hash-password.ts'
import { hours } from '../time.ts'
import { type MailedLink, newMailedLink } from './mailed-link.ts'
import { notMe } from './not-me.ts'
import { forgotPassword, resetPassword } from '../password/reset-password.ts'
import { verifyEmail } from './verify-email.ts'

/** The secret part of a mailed link. */
async function mailLink(
  fixture: Fixture,
  { userId }: Claims,
  { purpose, emailKey }: { purpose: MailedLink['purpose']; emailKey?: string },
): Promise<string> {
  const ctx = fixture.ctx()
  const link = await newMailedLink(ctx, purpose)
  await ctx.db.batch([
    ctx.db.insert(mailedLinks).values({
      secretHash: link.secretHash,
      userId,
      purpose,
      emailKey: emailKey ?? (await userOf(ctx, userId)).emailKey,
      createdAt: ctx.now,
      expiresAt: link.expiresAt,
    }),
  ])
  return link.secret
}

const reset = (fixture: Fixture, token: string, password = 'Louder-Otter-43') =>
  resetPassword(fixture.ctx(), { ...NO_INPUT, params: { token }, body: { password } })
const verify = (fixture: Fixture, token: string) =>
  verifyEmail(fixture.ctx(), { ...NO_INPUT, params: { token } })

const INVALID_RESET = {
  code: 'LINK_INVALID',
  message: 'This link is invalid or has expired. Please request a new one.',
  detail: {},
}
const INVALID_VERIFICATION = {
  code: 'LINK_INVALID',
  message: 'Email verification failed. The link may be expired or invalid.',
  detail: {},
}

test('a reset link is valid for exactly one hour', async () => {
  const { fixture, claims } = await openAccount()
  const [early, late] = [
    await mailLink(fixture, claims, { purpose: 'reset' }),
    await mailLink(fixture, claims, { purpose: 'reset' }),
  ]
  fixture.advance(hours(1) - 1)
  await expect(reset(fixture, early)).resolves.toMatchObject({ success: true })
  fixture.advance(1)
  await expect(reset(fixture, late)).rejects.toMatchObject(INVALID_RESET)
})

test('a verification link is valid for exactly 24 hours', async () => {
  const { fixture, claims: one } = await openAccount()
  const other = await createAccount(fixture.ctx())
  const early = await mailLink(fixture, one, { purpose: 'verify' })
  const late = await mailLink(fixture, other, { purpose: 'verify' })
  fixture.advance(hours(24) - 1)
  await expect(verify(fixture, early)).resolves.toMatchObject({ success: true })
  fixture.advance(1)
  await expect(verify(fixture, late)).rejects.toMatchObject(INVALID_VERIFICATION)
  await expect(verify(fixture, early)).resolves.toMatchObject({ success: true })
})

test('a known, an unverified and an unknown address get the same answer to a forgotten password, at the same time', async () => {
  const fixture = createFixture()
  const known = [
    await createAccount(fixture.ctx(), { emailVerifiedAt: fixture.now() }),
    await createAccount(fixture.ctx()),
  ]
  const answers = []
  for (const { email } of [...known, { email: 'nobody@example.test' }]) {
    const ctx = fixture.ctx()
    const answer = await forgotPassword(ctx, { ...NO_INPUT, body: { email } })
    answers.push({ answer, roundTrips: ctx.db.roundTrips(), ms: ctx.clock() - ctx.now })
  }
  const answer = { success: true, message: AUTH.resetAccepted }
  expect(answers).toEqual(answers.map(() => ({ answer, roundTrips: 1, ms: 50 })))
})

test('every invalid link gets the same answer', async () => {
  const { fixture, claims } = await openAccount()
  const verification = await mailLink(fixture, claims, { purpose: 'verify' })
  const moved = await mailLink(fixture, claims, { purpose: 'reset', emailKey: 'old@example.test' })
  const good = await mailLink(fixture, claims, { purpose: 'reset' })
  const bad = [
    verification,
    moved,
    good.slice(0, -1),
    encodeURIComponent(`${good}%`),
    'x',
    '\u0000',
  ]
  for (const token of bad) await expect(reset(fixture, token)).rejects.toMatchObject(INVALID_RESET)
  await expect(reset(fixture, good)).resolves.toMatchObject({ success: true })
  await expect(reset(fixture, good)).rejects.toMatchObject(INVALID_RESET)
})

test('neither a reset link nor a link for a former address verifies an address', async () => {
  const { fixture, claims } = await openAccount()
  const resetting = await mailLink(fixture, claims, { purpose: 'reset' })
  const moved = await mailLink(fixture, claims, { purpose: 'verify', emailKey: 'old@example.test' })
  await expect(verify(fixture, resetting)).rejects.toMatchObject(INVALID_VERIFICATION)
  await expect(verify(fixture, moved)).rejects.toMatchObject(INVALID_VERIFICATION)
})

test('five resets at once with one link set the password once', async () => {
  const { fixture, claims } = await openAccount()
  const link = await mailLink(fixture, claims, { purpose: 'reset' })
  const tries = Array.from({ length: 5 }, (_, index) =>
    reset(fixture, link, `Louder-Otter-${index}`),
  )
  const done = await Promise.allSettled(tries)
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const one of done) {
    if (one.status === 'rejected') expect(one.reason).toMatchObject(INVALID_RESET)
  }
  const winner = done.findIndex(({ status }) => status === 'fulfilled')
  const { passwordHash } = await userOf(fixture.ctx(), claims.userId)
  const password = `Louder-Otter-${winner}`
  expect(await matchPassword(password, passwordHash)).toBe(password)
  const kinds = await eventKindsOf(fixture.ctx(), claims.userId)
  expect(kinds).toEqual(['email_verified', 'password_reset', 'trial_granted'])
})

test('a reset voids the other links of the account, but not those that say "This was not me"', async () => {
  const { fixture, claims } = await openAccount()
  const [one, other] = [
    await mailLink(fixture, claims, { purpose: 'reset' }),
    await mailLink(fixture, claims, { purpose: 'reset' }),
  ]
  const early = await mailLink(fixture, claims, { purpose: 'not_me' })
  await reset(fixture, one)
  await expect(reset(fixture, other)).rejects.toMatchObject(INVALID_RESET)
  const press = (token: string) => notMe(fixture.ctx(), { ...NO_INPUT, params: { token } })
  const [mail] = await mailsOf(fixture.ctx(), claims.userId)
  expect(mail?.kind).toBe('password_changed')
  const { secret } = JSON.parse(mail?.payload ?? '{}')
  await expect(press(String(secret))).resolves.toMatchObject({ success: true })
  await expect(press(early)).resolves.toMatchObject({ success: true })
})

test('a reset verifies the address that its link was mailed to', async () => {
  const { fixture, claims } = await openAccount()
  await reset(fixture, await mailLink(fixture, claims, { purpose: 'reset' }))
  expect(await userOf(fixture.ctx(), claims.userId)).toMatchObject({
    emailVerifiedAt: fixture.now(),
    isPasswordVerified: true,
  })
})

test('a reset rejects a common password, and the link stays valid', async () => {
  const { fixture, claims } = await openAccount()
  const link = await mailLink(fixture, claims, { purpose: 'reset' })
  await expect(reset(fixture, link, 'Password123')).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
  })
  await expect(reset(fixture, link)).resolves.toMatchObject({ success: true })
})
