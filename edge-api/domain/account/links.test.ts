import { eventKindsOf, mailsOf, userOf } from '../../../tests/harness/world/rows.ts'
import { expect, test } from 'vitest'
import { AUTH } from '../../../src/contract/messages.ts'
import { createAccount, openAccount } from '../../../tests/harness/world/account.ts'
import { createWorld, NO_INPUT, type World } from '../../../tests/harness/world/world.ts'
import { mailedLinks } from '../../db/schema/sessions.ts'
import type { Claims } from './signed.ts'
import { matchPassword } from './password-hash.ts'
import { hours } from '../time.ts'
import { type MailedLink, newMailedLink } from './mailed-link.ts'
import { notMe } from './not-me.ts'
import { forgotPassword, resetPassword } from './reset-password.ts'
import { verifyEmail } from './verify-email.ts'

/** The secret part of a mailed link. */
async function mailLink(
  world: World,
  { userId }: Claims,
  { purpose, emailKey }: { purpose: MailedLink['purpose']; emailKey?: string },
): Promise<string> {
  const ctx = world.ctx()
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

const reset = (world: World, token: string, password = 'Louder-Otter-43') =>
  resetPassword(world.ctx(), { ...NO_INPUT, params: { token }, body: { password } })
const verify = (world: World, token: string) =>
  verifyEmail(world.ctx(), { ...NO_INPUT, params: { token } })

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
  const { world, claims } = await openAccount()
  const [early, late] = [
    await mailLink(world, claims, { purpose: 'reset' }),
    await mailLink(world, claims, { purpose: 'reset' }),
  ]
  world.advance(hours(1) - 1)
  await expect(reset(world, early)).resolves.toMatchObject({ success: true })
  world.advance(1)
  await expect(reset(world, late)).rejects.toMatchObject(INVALID_RESET)
})

test('a verification link is valid for exactly 24 hours', async () => {
  const { world, claims: one } = await openAccount()
  const other = await createAccount(world.ctx())
  const early = await mailLink(world, one, { purpose: 'verify' })
  const late = await mailLink(world, other, { purpose: 'verify' })
  world.advance(hours(24) - 1)
  await expect(verify(world, early)).resolves.toMatchObject({ success: true })
  world.advance(1)
  await expect(verify(world, late)).rejects.toMatchObject(INVALID_VERIFICATION)
  await expect(verify(world, early)).resolves.toMatchObject({ success: true })
})

test('a known, an unverified and an unknown address get the same answer to a forgotten password, at the same time', async () => {
  const world = createWorld()
  const known = [
    await createAccount(world.ctx(), { emailVerifiedAt: world.now() }),
    await createAccount(world.ctx()),
  ]
  const answers = []
  for (const { email } of [...known, { email: 'nobody@example.test' }]) {
    const ctx = world.ctx()
    const answer = await forgotPassword(ctx, { ...NO_INPUT, body: { email } })
    answers.push({ answer, trips: ctx.db.trips(), ms: ctx.clock() - ctx.now })
  }
  const answer = { success: true, message: AUTH.resetAccepted }
  expect(answers).toEqual(answers.map(() => ({ answer, trips: 1, ms: 50 })))
})

test('every invalid link gets the same answer', async () => {
  const { world, claims } = await openAccount()
  const verification = await mailLink(world, claims, { purpose: 'verify' })
  const moved = await mailLink(world, claims, { purpose: 'reset', emailKey: 'old@example.test' })
  const good = await mailLink(world, claims, { purpose: 'reset' })
  const bad = [
    verification,
    moved,
    good.slice(0, -1),
    encodeURIComponent(`${good}%`),
    'x',
    '\u0000',
  ]
  for (const token of bad) await expect(reset(world, token)).rejects.toMatchObject(INVALID_RESET)
  await expect(reset(world, good)).resolves.toMatchObject({ success: true })
  await expect(reset(world, good)).rejects.toMatchObject(INVALID_RESET)
})

test('neither a reset link nor a link for a former address verifies an address', async () => {
  const { world, claims } = await openAccount()
  const resetting = await mailLink(world, claims, { purpose: 'reset' })
  const moved = await mailLink(world, claims, { purpose: 'verify', emailKey: 'old@example.test' })
  await expect(verify(world, resetting)).rejects.toMatchObject(INVALID_VERIFICATION)
  await expect(verify(world, moved)).rejects.toMatchObject(INVALID_VERIFICATION)
})

test('five resets at once with one link set the password once', async () => {
  const { world, claims } = await openAccount()
  const link = await mailLink(world, claims, { purpose: 'reset' })
  const tries = Array.from({ length: 5 }, (_, index) => reset(world, link, `Louder-Otter-${index}`))
  const done = await Promise.allSettled(tries)
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const one of done) {
    if (one.status === 'rejected') expect(one.reason).toMatchObject(INVALID_RESET)
  }
  const winner = done.findIndex(({ status }) => status === 'fulfilled')
  const { passwordHash } = await userOf(world.ctx(), claims.userId)
  const password = `Louder-Otter-${winner}`
  expect(await matchPassword(password, passwordHash)).toBe(password)
  const kinds = await eventKindsOf(world.ctx(), claims.userId)
  expect(kinds).toEqual(['email_verified', 'password_reset', 'trial_granted'])
})

test('a reset voids the other links of the account, but not those that say "This was not me"', async () => {
  const { world, claims } = await openAccount()
  const [one, other] = [
    await mailLink(world, claims, { purpose: 'reset' }),
    await mailLink(world, claims, { purpose: 'reset' }),
  ]
  const early = await mailLink(world, claims, { purpose: 'not_me' })
  await reset(world, one)
  await expect(reset(world, other)).rejects.toMatchObject(INVALID_RESET)
  const press = (token: string) => notMe(world.ctx(), { ...NO_INPUT, params: { token } })
  const [mail] = await mailsOf(world.ctx(), claims.userId)
  expect(mail?.kind).toBe('password_changed')
  const { secret } = JSON.parse(mail?.payload ?? '{}')
  await expect(press(String(secret))).resolves.toMatchObject({ success: true })
  await expect(press(early)).resolves.toMatchObject({ success: true })
})

test('a reset verifies the address that its link was mailed to', async () => {
  const { world, claims } = await openAccount()
  await reset(world, await mailLink(world, claims, { purpose: 'reset' }))
  expect(await userOf(world.ctx(), claims.userId)).toMatchObject({
    emailVerifiedAt: world.now(),
    isPasswordProven: true,
  })
})

test('a reset refuses a common password, and the link stays valid', async () => {
  const { world, claims } = await openAccount()
  const link = await mailLink(world, claims, { purpose: 'reset' })
  await expect(reset(world, link, 'Password123')).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
  })
  await expect(reset(world, link)).resolves.toMatchObject({ success: true })
})
