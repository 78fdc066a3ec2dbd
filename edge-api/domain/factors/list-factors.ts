import { and, asc, eq, sql } from 'drizzle-orm'
import {
  type factorsEndpoint,
  FACTOR,
  PASSKEYS_MAX,
  type renewRecoveryCodesEndpoint,
} from '../../../src/contract/factor.ts'
import { passkeys, recoveryCodes, totps } from '../../db/schema/factors.ts'
import { accountEvents } from '../../db/schema/records.ts'
import { recordEventIf } from '../account/record-event.ts'
import {
  accountQuery,
  additionOf,
  requireSignedIn,
  requireConfirmed,
} from '../session/account-query.ts'
import { factorsQuery, isTwoStep } from '../account/has-factor.ts'
import { isOpenSession } from '../session/session.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { ApiError } from '../api-error.ts'
import { seconds, toIso, toIsoOrNull } from '../time.ts'
import type { SessionHandler } from '../handler.ts'
import { mailRenewal, newRecoveryCodes, storeCodes } from './recovery-codes.ts'

/** The factors of the caller. */
export const listFactors: SessionHandler<typeof factorsEndpoint> = async (ctx, { claims }) => {
  const own = claims.userId
  const { accounts, apps, keys, left } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    apps: ctx.db.select({ createdAt: totps.createdAt }).from(totps).where(eq(totps.userId, own)),
    keys: ctx.db
      .select()
      .from(passkeys)
      .where(eq(passkeys.userId, own))
      .orderBy(asc(passkeys.createdAt))
      .limit(PASSKEYS_MAX),
    left: ctx.db
      .select({ count: sql<number>`count(*)` })
      .from(recoveryCodes)
      .where(sql`${recoveryCodes.userId} = ${own} AND ${recoveryCodes.usedAt} IS NULL`),
  })
  const { user } = requireSignedIn(accounts)
  return {
    success: true,
    totpSince: toIsoOrNull(apps[0]?.createdAt ?? null),
    passkeys: keys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      createdAt: toIso(createdAt),
      lastUsedAt: toIsoOrNull(lastUsedAt),
    })),
    recoveryCodesLeft: left[0]?.count ?? 0,
    hasPassword: user.passwordHash !== '',
  }
}

/** A second renewal within ten seconds was most likely sent together with the first (a double click), whose codes the user sees. */
const RENEWED_MS = seconds(10)

/**
 * Replaces the recovery codes. NOT_FOUND for an account without a factor, which has none; FACTOR_REFUSED when they were renewed
 * a moment before.
 */
export const renewRecoveryCodes: SessionHandler<typeof renewRecoveryCodesEndpoint> = async (
  ctx,
  { claims },
) => {
  const addition = await additionOf(ctx, claims)
  const { accounts, factors, counted } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    factors: factorsQuery(ctx, claims.userId),
    counted: addition.count,
  })
  const account = requireSignedIn(accounts)
  requireConfirmed(ctx, account)
  addition.requireFew(counted)
  if (!factors.some(isTwoStep)) throw new ApiError('NOT_FOUND', FACTOR.nothingToRecover)
  const { id } = account.user
  const codes = await newRecoveryCodes(ctx)
  const kind = 'recovery_codes_renewed'
  const { event, isRecorded: isOurs } = recordEventIf(
    ctx,
    { userId: id, kind },
    sql`WHERE ${isOpenSession({ ...claims, now: ctx.now })} AND NOT EXISTS (
      SELECT 1 FROM ${accountEvents} e WHERE e.user_id = ${id} AND e.kind = ${kind} AND e.created_at > ${ctx.now - RENEWED_MS})`,
  )
  const [{ rowsAffected }] = await ctx.db.batch([
    event,
    ctx.db.delete(recoveryCodes).where(and(eq(recoveryCodes.userId, id), isOurs)),
    storeCodes(ctx, id, codes, isOurs),
    ...(await mailRenewal(ctx, account.user, sql`WHERE ${isOurs}`)),
  ])
  if (rowsAffected === 0) throw new ApiError('FACTOR_REFUSED', FACTOR.justRenewed)
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { success: true, message: FACTOR.codesRenewed, recoveryCodes: codes.shown }
}
