import { eventKindsOf, mailsOf, userOf } from '../../../tests/harness/fixture/rows.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cheapHash, createAccount, openAccount } from '../../../tests/harness/fixture/account.ts'
import { afterHash } from '../../../tests/harness/fixture/hashing.ts'
import { createFixture, NO_INPUT, type Fixture } from '../../../tests/harness/fixture/fixture.ts'
import { FIELD } from '../../../src/contract/field-messages.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import type { Context, Claims } from '../context.ts'
import { changePassword } from './change-password.ts'
import { deleteAccount } from '../data-rights/delete-account.ts'

const PASSWORD = 'Quiet-Otter-42'

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

/** Leaves the account as a reset does: with another password and no session. */
function resetMeanwhile({ ctx }: Fixture, { userId }: Claims) {
  const { db, now } = ctx()
  return db.batch([
    db.update(users).set({ passwordHash: 'reset' }).where(eq(users.id, userId)),
    db.update(sessions).set({ endedAt: now }).where(eq(sessions.userId, userId)),
  ])
}

const calls = [
  ['a change of the password', change],
  ['a deletion', erase],
] as const

test.each(calls)('%s fails when a reset comes between', async (_, call) => {
  const { fixture, claims } = await openAccount({ passwordHash: cheapHash() })
  const ctx = interrupted(fixture, () => resetMeanwhile(fixture, claims))
  await expect(call(ctx, claims)).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  })
  const left = { hash: 'reset', isDeleted: false, events: [], mails: [] }
  expect(await stored(fixture, claims)).toEqual(left)
})

test.each(calls)('%s fails when the session is ended meanwhile', async (_, call) => {
  const fixture = createFixture()
  const passwordHash = cheapHash()
  const claims = await createAccount(fixture.ctx(), { passwordHash })
  const { db, now } = fixture.ctx()
  const end = db.update(sessions).set({ endedAt: now }).where(eq(sessions.id, claims.sessionId))
  const ctx = interrupted(fixture, () => db.batch([end]))
  await expect(call(ctx, claims)).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  })
  expect(await stored(fixture, claims)).toMatchObject({ hash: passwordHash, isDeleted: false })
})

test.each(calls)(
  '%s fails when its own session changed the password meanwhile',
  async (_, call) => {
    const fixture = createFixture()
    const claims = await createAccount(fixture.ctx(), { passwordHash: cheapHash() })
    const { db } = fixture.ctx()
    const changed = db
      .update(users)
      .set({ passwordHash: 'changed' })
      .where(eq(users.id, claims.userId))
    const ctx = interrupted(fixture, () => db.batch([changed]))
    await expect(call(ctx, claims)).rejects.toMatchObject({
      code: 'WRONG_PASSWORD',
    })
    expect(await stored(fixture, claims)).toMatchObject({ hash: 'changed', isDeleted: false })
  },
)

test.each(calls)('%s succeeds when a sign-in renewed the hash meanwhile', async (_, call) => {
  const { fixture, claims } = await openAccount({ passwordHash: cheapHash() })
  const { db } = fixture.ctx()
  const renewed = db
    .update(users)
    .set({ passwordHash: cheapHash('another-16-bytes') })
    .where(eq(users.id, claims.userId))
  const ctx = interrupted(fixture, () => db.batch([renewed]))
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
