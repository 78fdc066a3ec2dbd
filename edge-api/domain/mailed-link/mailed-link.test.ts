import { eq } from 'drizzle-orm'
import { changeRows, eventKindsOf, newLink, secretIn, userOf } from '#harness/fixture/rows.ts'
import { expect, test } from 'vitest'
import { AUTH } from '../../../src/contract/messages.ts'
import { createAccount, openAccount } from '#harness/fixture/account.ts'
import { emptyFixture } from '#harness/fixture/empty-fixture.ts'
import { createFixture, NO_INPUT, type Fixture } from '#harness/fixture/fixture.ts'
import { resetWith, verifyWith } from '#harness/fixture/sign-in.ts'
import { mailedLinks } from '../../db/schema/sessions.ts'
import type { Claims } from '../context.ts'
import { matchPassword } from '../crypto/hash-password.ts'
import { hours } from '../time.ts'
import { sha256Hex } from '../encoding.ts'
import type { MailedLink } from './mailed-link.ts'
import { notMe } from './not-me.ts'
import { forgotPassword } from '../password/reset-password.ts'

/** The secret of a link that was mailed to an address which the account has no more. */
async function oldLink(fixture: Fixture, { userId }: Claims, purpose: MailedLink['purpose']) {
  const secret = await newLink(fixture.ctx(), userId, purpose)
  const isOfSecret = eq(mailedLinks.secretHash, await sha256Hex(secret))
  await changeRows(fixture.ctx().db, mailedLinks, { emailKey: 'old@example.test' }, isOfSecret)
  return secret
}

const reset = (fixture: Fixture, token: string, password = 'Louder-Otter-43') =>
  resetWith(fixture, token, password)

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

test.each([
  ['reset', 1, reset, INVALID_RESET],
  ['verify', 24, verifyWith, INVALID_VERIFICATION],
] as const)('a link of the purpose %s is valid for exactly %i hours', async (...row) => {
  const [purpose, lifetime, follow, refused] = row
  const fixture = createFixture()
  const linkOfNew = async () =>
    newLink(fixture.ctx(), (await createAccount(fixture.ctx())).userId, purpose)
  const [early, late] = [await linkOfNew(), await linkOfNew()]
  fixture.advance(hours(lifetime) - 1)
  await expect(follow(fixture, early)).resolves.toMatchObject({ success: true })
  fixture.advance(1)
  await expect(follow(fixture, late)).rejects.toMatchObject(refused)
  // Who clicks twice learns again that the address is verified.
  if (purpose === 'verify')
    await expect(follow(fixture, early)).resolves.toMatchObject({ success: true })
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

test('every invalid link gets the same answer, among them one of another purpose or for a former address', async () => {
  const { fixture, claims } = await openAccount()
  const good = await newLink(fixture.ctx(), claims.userId, 'reset')
  const verification = await newLink(fixture.ctx(), claims.userId, 'verify')
  const moved = await oldLink(fixture, claims, 'reset')
  for (const token of [moved, good.slice(0, -1), encodeURIComponent(`${good}%`), 'x', '\u0000']) {
    await expect(reset(fixture, token)).rejects.toMatchObject(INVALID_RESET)
    await expect(verifyWith(fixture, token)).rejects.toMatchObject(INVALID_VERIFICATION)
  }
  await expect(reset(fixture, verification)).rejects.toMatchObject(INVALID_RESET)
  await expect(verifyWith(fixture, good)).rejects.toMatchObject(INVALID_VERIFICATION)
  const former = await oldLink(fixture, claims, 'verify')
  await expect(verifyWith(fixture, former)).rejects.toMatchObject(INVALID_VERIFICATION)
  await expect(reset(fixture, good)).resolves.toMatchObject({ success: true })
  await expect(reset(fixture, good)).rejects.toMatchObject(INVALID_RESET)
})

test('five resets at once with one link set the password once', async () => {
  // Other tests use up the trials of a day, or turn them off.
  await emptyFixture()
  const { fixture, claims } = await openAccount()
  const link = await newLink(fixture.ctx(), claims.userId, 'reset')
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
    await newLink(fixture.ctx(), claims.userId, 'reset'),
    await newLink(fixture.ctx(), claims.userId, 'reset'),
  ]
  const early = await newLink(fixture.ctx(), claims.userId, 'not_me')
  await reset(fixture, one)
  await expect(reset(fixture, other)).rejects.toMatchObject(INVALID_RESET)
  const press = (token: string) => notMe(fixture.ctx(), { ...NO_INPUT, params: { token } })
  const secret = await secretIn(fixture.ctx(), claims.userId, 'password_changed')
  await expect(press(secret)).resolves.toMatchObject({ success: true })
  await expect(press(early)).resolves.toMatchObject({ success: true })
})

test('a reset rejects a common password, and the link stays valid; it verifies the address of its link', async () => {
  const { fixture, claims } = await openAccount()
  const link = await newLink(fixture.ctx(), claims.userId, 'reset')
  const verification = await newLink(fixture.ctx(), claims.userId, 'verify')
  await expect(reset(fixture, link, 'Password123')).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
  })
  await expect(reset(fixture, link)).resolves.toMatchObject({ success: true })
  const verified = { emailVerifiedAt: fixture.now(), isPasswordVerified: true }
  expect(await userOf(fixture.ctx(), claims.userId)).toMatchObject(verified)
  // The first mail of the account, opened late: what it asks for is done.
  fixture.advance(hours(24))
  await expect(verifyWith(fixture, verification)).resolves.toMatchObject({ success: true })
  expect(await userOf(fixture.ctx(), claims.userId)).toMatchObject(verified)
})
