import { eventKindsOf, mailsOf, userOf } from '../../../tests/harness/world/rows.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cheapHash, createAccount, openAccount } from '../../../tests/harness/world/account.ts'
import { afterHash } from '../../../tests/harness/world/hashing.ts'
import { createWorld, NO_INPUT, type World } from '../../../tests/harness/world/world.ts'
import { FIELD } from '../../../src/contract/field-messages.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import type { Claims } from './signed.ts'
import { changePassword } from './change-password.ts'
import { deleteAccount } from './delete-account.ts'

const PASSWORD = 'Quiet-Otter-42'

/** Runs `interrupt` once, after the first hash was computed: between the check of a password and what follows it. */
function interrupted({ ctx }: World, interrupt: () => Promise<unknown>) {
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

async function stored({ ctx }: World, { userId }: Claims) {
  const { passwordHash, deletedAt } = await userOf(ctx(), userId)
  return {
    hash: passwordHash,
    isDeleted: deletedAt !== null,
    events: await eventKindsOf(ctx(), userId),
    mails: await mailsOf(ctx(), userId),
  }
}

/** Leaves the account as a reset does: with another password and no session. */
function resetMeanwhile({ ctx }: World, { userId }: Claims) {
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
  const { world, claims } = await openAccount({ passwordHash: cheapHash() })
  const ctx = interrupted(world, () => resetMeanwhile(world, claims))
  await expect(call(ctx, claims)).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  })
  const left = { hash: 'reset', isDeleted: false, events: [], mails: [] }
  expect(await stored(world, claims)).toEqual(left)
})

test.each(calls)('%s fails when the session is ended meanwhile', async (_, call) => {
  const world = createWorld()
  const passwordHash = cheapHash()
  const claims = await createAccount(world.ctx(), { passwordHash })
  const { db, now } = world.ctx()
  const end = db.update(sessions).set({ endedAt: now }).where(eq(sessions.id, claims.sessionId))
  const ctx = interrupted(world, () => db.batch([end]))
  await expect(call(ctx, claims)).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  })
  expect(await stored(world, claims)).toMatchObject({ hash: passwordHash, isDeleted: false })
})

test.each(calls)(
  '%s fails when its own session changed the password meanwhile',
  async (_, call) => {
    const world = createWorld()
    const claims = await createAccount(world.ctx(), { passwordHash: cheapHash() })
    const { db } = world.ctx()
    const changed = db
      .update(users)
      .set({ passwordHash: 'changed' })
      .where(eq(users.id, claims.userId))
    const ctx = interrupted(world, () => db.batch([changed]))
    await expect(call(ctx, claims)).rejects.toMatchObject({
      code: 'WRONG_PASSWORD',
    })
    expect(await stored(world, claims)).toMatchObject({ hash: 'changed', isDeleted: false })
  },
)

test.each(calls)('%s succeeds when a sign-in renewed the hash meanwhile', async (_, call) => {
  const { world, claims } = await openAccount({ passwordHash: cheapHash() })
  const { db } = world.ctx()
  const renewed = db
    .update(users)
    .set({ passwordHash: cheapHash('another-16-bytes') })
    .where(eq(users.id, claims.userId))
  const ctx = interrupted(world, () => db.batch([renewed]))
  await expect(call(ctx, claims)).resolves.toMatchObject({ success: true })
})

test.each(calls)('%s with a wrong password records it as a failed sign-in', async (_, call) => {
  const { world, claims } = await openAccount({ passwordHash: 'of-another-password' })
  await expect(call(world.ctx(), claims)).rejects.toMatchObject({ code: 'WRONG_PASSWORD' })
  await world.drain()
  expect((await stored(world, claims)).events).toEqual(['sign_in_failed'])
})

test.each([
  ['a common one', 'Aa123456', FIELD.passwordCommon],
  ['the one that it is', PASSWORD, FIELD.passwordSame],
])('a change of the password refuses %s', async (_, newPassword, message) => {
  const { world, claims } = await openAccount({ passwordHash: cheapHash() })
  const body = { currentPassword: PASSWORD, newPassword }
  await expect(changePassword(world.ctx(), { ...NO_INPUT, claims, body })).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    message,
  })
})
