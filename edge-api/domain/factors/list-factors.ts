import { asc, eq, sql } from 'drizzle-orm'
import {
  type factorsEndpoint,
  FACTOR,
  PASSKEYS_MAX,
  type renewRecoveryCodesEndpoint,
} from '../../../src/contract/factor.ts'
import { passkeys, recoveryCodes, totps } from '../../db/schema/factors.ts'
import { recordEvent } from '../account/account-event.ts'
import { accountQuery, requireAccount, requireConfirmed } from '../account/account-query.ts'
import { factorsQuery, isTwoStep } from '../account/has-factor.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { Refusal } from '../refusal.ts'
import { toIso, toIsoOrNull } from '../time.ts'
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
  const { user } = requireAccount(accounts)
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

/** Replaces the recovery codes. NOT_FOUND for an account without a factor, which has none. */
export const renewRecoveryCodes: SessionHandler<typeof renewRecoveryCodesEndpoint> = async (
  ctx,
  { claims },
) => {
  const { accounts, factors } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    factors: factorsQuery(ctx, claims.userId),
  })
  const account = requireAccount(accounts)
  requireConfirmed(ctx, account)
  if (!factors.some(isTwoStep)) throw new Refusal('NOT_FOUND', FACTOR.nothingToRecover)
  const { id } = account.user
  const codes = await newRecoveryCodes(ctx)
  await ctx.db.batch([
    ctx.db.delete(recoveryCodes).where(eq(recoveryCodes.userId, id)),
    storeCodes(ctx, id, codes),
    recordEvent(ctx, { userId: id, kind: 'recovery_codes_renewed' }),
    ...(await mailRenewal(ctx, account.user, sql`WHERE 1 = 1`)),
  ])
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { success: true, message: FACTOR.codesRenewed, recoveryCodes: codes.shown }
}
