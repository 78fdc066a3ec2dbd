import { eq, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { newAuthenticator } from '#harness/authenticator.ts'
import { codeAt, setUpTotp } from '#harness/factors.ts'
import { createAccount } from '#harness/fixture/account.ts'
import { changeRows, eventKindsOf, userOf } from '#harness/fixture/rows.ts'
import {
  callOf,
  createFixture,
  NO_INPUT,
  withEachBatch,
  type Fixture,
} from '#harness/fixture/fixture.ts'
import { passkeys, recoveryCodes, totps } from '../../db/schema/factors.ts'
import { mails } from '../../db/schema/records.ts'
import type { Context, Claims } from '../context.ts'
import { renewRecoveryCodes } from '../factors/list-factors.ts'
import { addPasskey, startPasskey } from '../factors/passkey-factor.ts'
import { mailDownload } from '../desktop-app/mail-download.ts'
import { addTotp, startTotp } from '../factors/totp-factor.ts'
import { eraseStatements } from './delete-account.ts'
import { takeExport } from '#harness/fixture/take-export.ts'
import { updateBilling, updatePreferences, updateProfile } from '../profile/update-profile.ts'
import { mailRefundLink } from '../purchase/request-refund.ts'
import { authorizeDevice, confirmDevice } from '../sign-in/authorize-device.ts'
import { settledPack } from '#harness/fixture/purchase.ts'
import { users } from '../../db/schema/users.ts'
import { deviceRequests, mailedLinks } from '../../db/schema/sessions.ts'

/** Deletes the account after the first batch of a call, which found it there. */
function deletedMeanwhile(fixture: Fixture, { userId }: Claims): Context {
  const ctx = fixture.ctx()
  let batches = 0
  const erase = async () => {
    batches += 1
    if (batches !== 2) return
    const statements = eraseStatements(ctx, await userOf(ctx, userId), sql`true`)
    await ctx.db.batch(statements)
  }
  return { ...ctx, db: withEachBatch(ctx.db, erase) }
}

type Act = (fixture: Fixture, claims: Claims) => Promise<(ctx: Context) => Promise<unknown>>

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
  'mailing the download link': (_, claims) =>
    Promise.resolve((ctx) => mailDownload(ctx, callOf(claims))),
  'mailing a refund link': async (fixture, claims) => {
    const { userId } = claims
    const { id: purchaseId } = await settledPack(fixture.ctx(), userId)
    await changeRows(fixture.ctx().db, users, { passwordHash: '' }, eq(users.id, userId))
    return (ctx) => mailRefundLink(ctx, { ...callOf(claims), params: { purchaseId } })
  },
  'switching reminders off': (_, claims) =>
    Promise.resolve((ctx) =>
      updatePreferences(ctx, { ...callOf(claims), body: { mailReminders: false } }),
    ),
  'approving an app': async (fixture, claims) => {
    const { user_code: userCode } = await authorizeDevice(fixture.ctx(), {
      ...NO_INPUT,
      body: { client_name: 'App' },
    })
    const body = { userCode: userCode.replace('-', ''), approve: true }
    return (ctx) => confirmDevice(ctx, { ...callOf(claims), body })
  },
  'renewing recovery codes': async (fixture, claims) => {
    await setUpTotp(fixture.ctx(), claims)
    await fixture.drain()
    return (ctx) => renewRecoveryCodes(ctx, callOf(claims))
  },
  'adding an authenticator app': async (fixture, claims) => {
    const { secret, sealed } = await startTotp(fixture.ctx(), callOf(claims))
    const body = { sealed, code: codeAt(secret, fixture.now()) }
    return (ctx) => addTotp(ctx, { ...callOf(claims), body })
  },
  'adding a passkey': async (fixture, claims) => {
    const { sealed, options } = await startPasskey(fixture.ctx(), callOf(claims))
    const credential = newAuthenticator({ origin: fixture.ctx().origin }).create(options)
    return (ctx) => addPasskey(ctx, { ...callOf(claims), body: { sealed, credential } })
  },
}

test.each(Object.entries(ACTS))(
  '%s leaves nothing in an account deleted meanwhile',
  async (_, prepare) => {
    const fixture = createFixture()
    const claims = await createAccount(fixture.ctx(), { emailVerifiedAt: fixture.now() })
    const { userId } = claims
    const act = await prepare(fixture, claims)
    await act(deletedMeanwhile(fixture, claims)).catch(() => undefined)
    await fixture.drain()
    const { firstName, bio, phone, billing, deletedAt } = await userOf(fixture.ctx(), userId)
    expect(deletedAt).toBe(fixture.now())
    expect({ firstName, bio, phone, billing }).toEqual({
      firstName: null,
      bio: null,
      phone: null,
      billing: null,
    })
    expect(await eventKindsOf(fixture.ctx(), userId)).toEqual(['account_deleted'])
    const { db } = fixture.ctx()
    const of = (table: SQLiteTable & { userId: SQLiteColumn }) =>
      db.select().from(table).where(eq(table.userId, userId))
    const tables = [totps, passkeys, recoveryCodes, mails, mailedLinks, deviceRequests]
    const { left } = await db.batch({ left: tables.map(of) })
    expect(left.flat()).toEqual([])
  },
)
