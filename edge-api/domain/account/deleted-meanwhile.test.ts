import { eq, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { newAuthenticator } from '../../../tests/harness/authenticator.ts'
import { codeAt, setUpTotp } from '../../../tests/harness/factors.ts'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { eventKindsOf, userOf } from '../../../tests/harness/world/rows.ts'
import {
  callOf,
  createWorld,
  withEachBatch,
  type World,
} from '../../../tests/harness/world/world.ts'
import { passkeys, recoveryCodes, totps } from '../../db/schema/factors.ts'
import { mails } from '../../db/schema/records.ts'
import { usageSessions } from '../../db/schema/tokens.ts'
import type { Context } from '../context.ts'
import { renewRecoveryCodes } from '../factors/list-factors.ts'
import { addPasskey, startPasskey } from '../factors/passkey-factor.ts'
import { addTotp, startTotp } from '../factors/totp-factor.ts'
import { recordUsageSession } from '../tokens/record-usage-session.ts'
import { eraseStatements } from './delete-account.ts'
import { takeExport } from '../../../tests/harness/world/take-export.ts'
import type { Claims } from './signed.ts'
import { updateBilling, updateProfile } from './update-profile.ts'

/** Deletes the account after the first batch of a call, which found it there. */
function deletedMeanwhile(world: World, { userId }: Claims): Context {
  const ctx = world.ctx()
  let batches = 0
  const erase = async () => {
    batches += 1
    if (batches !== 2) return
    const statements = eraseStatements(ctx, await userOf(ctx, userId), sql`true`)
    await ctx.db.batch(statements)
  }
  return { ...ctx, db: withEachBatch(ctx.db, erase) }
}

type Act = (world: World, claims: Claims) => Promise<(ctx: Context) => Promise<unknown>>

const ACTS: Record<string, Act> = {
  'saving the profile': (_, claims) =>
    Promise.resolve((ctx) => {
      const body = { firstName: 'Ada', lastName: 'Byron', bio: 'Counts', phone: '123' }
      return updateProfile(ctx, { ...callOf(claims), body })
    }),
  'saving billing details': (_, claims) =>
    Promise.resolve((ctx) => {
      const body = { place: '27', name: 'Ada', address: 'Here', gstin: '' }
      return updateBilling(ctx, { ...callOf(claims), body })
    }),
  'taking the data': (_, claims) => Promise.resolve((ctx) => takeExport(ctx, claims)),
  'starting a session of use': (_, claims) =>
    Promise.resolve((ctx) => {
      const body = { event: 'start', sessionId: 'mine', mode: 'interview' } as const
      return recordUsageSession(ctx, { ...callOf(claims), body })
    }),
  'renewing recovery codes': async (world, claims) => {
    await setUpTotp(world.ctx(), claims)
    await world.drain()
    return (ctx) => renewRecoveryCodes(ctx, callOf(claims))
  },
  'adding an authenticator app': async (world, claims) => {
    const { secret, sealed } = await startTotp(world.ctx(), callOf(claims))
    const body = { sealed, code: codeAt(secret, world.now()) }
    return (ctx) => addTotp(ctx, { ...callOf(claims), body })
  },
  'adding a passkey': async (world, claims) => {
    const { sealed, options } = await startPasskey(world.ctx(), callOf(claims))
    const credential = newAuthenticator({ origin: world.ctx().origin }).create(options)
    return (ctx) => addPasskey(ctx, { ...callOf(claims), body: { sealed, credential } })
  },
}

test.each(Object.entries(ACTS))(
  '%s leaves nothing in an account deleted meanwhile',
  async (_, prepare) => {
    const world = createWorld()
    const claims = await createAccount(world.ctx(), { emailVerifiedAt: world.now() })
    const { userId } = claims
    const act = await prepare(world, claims)
    await act(deletedMeanwhile(world, claims)).catch(() => undefined)
    await world.drain()
    const { firstName, bio, phone, billing, deletedAt } = await userOf(world.ctx(), userId)
    expect(deletedAt).toBe(world.now())
    expect({ firstName, bio, phone, billing }).toEqual({
      firstName: null,
      bio: null,
      phone: null,
      billing: null,
    })
    expect(await eventKindsOf(world.ctx(), userId)).toEqual(['account_deleted'])
    const { db } = world.ctx()
    const of = (table: SQLiteTable & { userId: SQLiteColumn }) =>
      db.select().from(table).where(eq(table.userId, userId))
    const tables = [totps, passkeys, recoveryCodes, usageSessions, mails]
    const { left } = await db.batch({ left: tables.map(of) })
    expect(left.flat()).toEqual([])
  },
)
