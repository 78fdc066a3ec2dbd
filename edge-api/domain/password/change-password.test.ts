import { eventKindsOf, mailsOf, userOf, changeRows } from '#harness/fixture/rows.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cheapHash, openAccount } from '#harness/fixture/account.ts'
import { afterHash } from '#harness/fixture/hashing.ts'
import { NO_INPUT, type Fixture } from '#harness/fixture/fixture.ts'
import { PASSWORD } from '#harness/user.ts'
import { FIELD } from '../../../src/contract/field-messages.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import type { Context, Claims } from '../context.ts'
import { changePassword } from './change-password.ts'
import { deleteAccount } from '../data-rights/delete-account.ts'

/** Runs `interrupt` once, after the first hash was computed: between the check of a password and what follows it. */
function interrupted({ ctx }: Fixture, interrupt: () => Promise<unknown>) {
  let done: Promise<unknown> | undefined
  return afterHash(ctx(), () => (done ??= interrupt()))
}

const change = (ctx: Context, claims: Claims) =>
  changePassword(ctx, {
    ...NO_INPUT,
    claims,
    body: { currentPassword: PASSWORD, newPassword: 'Louder-Otter-43' },
  })
const erase = (ctx: Context, claims: Claims) =>
  deleteAccount(ctx, { ...NO_INPUT, claims, body: { password: PASSWORD } })

async function stored({ ctx }: Fixture, { userId }: Claims) {
  const { passwordHash, deletedAt } = await userOf(ctx(), userId)
  return {
    hash: passwordHash,
    isDeleted: deletedAt !== null,
    events: await eventKindsOf(ctx(), userId),
    mails: await mailsOf(ctx(), userId),
  }
}

const calls = [
  ['a change of the password', change],
  ['a deletion', erase],
] as const

/** Changes an account as something else does that happens meanwhile. */
const changeUser = ({ ctx }: Fixture, { userId }: Claims, passwordHash: string) =>
  changeRows(ctx().db, users, { passwordHash }, eq(users.id, userId))
const endSessions = ({ ctx, now }: Fixture, { userId }: Claims) =>
  changeRows(ctx().db, sessions, { endedAt: now() }, eq(sessions.userId, userId))

const KNOWN = cheapHash()
const meanwhile: [string, string, hash: string, (...at: [Fixture, Claims]) => Promise<unknown>][] =
  [
    ['the session is ended', 'UNAUTHENTICATED', KNOWN, endSessions],
    [
      'a reset sets another password and ends the sessions',
      'UNAUTHENTICATED',
      'reset',
      (...at) => Promise.all([changeUser(...at, 'reset'), endSessions(...at)]),
    ],
    [
      'its own session changes the password',
      'WRONG_PASSWORD',
      'changed',
      (...at) => changeUser(...at, 'changed'),
    ],
  ]

test.each(calls.flatMap(([what, call]) => meanwhile.map((row) => [what, call, ...row] as const)))(
  '%s fails when meanwhile %o: %s, %s',
  async (_what, call, _meanwhile, code, hash, happens) => {
    const { fixture, claims } = await openAccount({ passwordHash: KNOWN })
    const ctx = interrupted(fixture, () => happens(fixture, claims))
    await expect(call(ctx, claims)).rejects.toMatchObject({ code })
    expect(await stored(fixture, claims)).toMatchObject({ hash, isDeleted: false, mails: [] })
  },
)

test.each(calls)('%s succeeds when a sign-in renewed the hash meanwhile', async (_, call) => {
  const { fixture, claims } = await openAccount({ passwordHash: cheapHash() })
  const renewed = cheapHash('another-16-bytes')
  const ctx = interrupted(fixture, () => changeUser(fixture, claims, renewed))
  await expect(call(ctx, claims)).resolves.toMatchObject({ success: true })
})

test.each(calls)('%s with a wrong password records it as a failed sign-in', async (_, call) => {
  const { fixture, claims } = await openAccount({ passwordHash: 'of-another-password' })
  await expect(call(fixture.ctx(), claims)).rejects.toMatchObject({ code: 'WRONG_PASSWORD' })
  await fixture.drain()
  expect((await stored(fixture, claims)).events).toEqual(['sign_in_failed'])
})

test.each([
  ['a common one', 'Aa123456', FIELD.passwordCommon],
  ['the one that it is', PASSWORD, FIELD.passwordSame],
])('a change of the password rejects %s', async (_, newPassword, message) => {
  const { fixture, claims } = await openAccount({ passwordHash: cheapHash() })
  const body = { currentPassword: PASSWORD, newPassword }
  await expect(changePassword(fixture.ctx(), { ...NO_INPUT, claims, body })).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    message,
  })
})
