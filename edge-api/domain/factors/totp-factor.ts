import { eq, sql } from 'drizzle-orm'
import {
  type addTotpEndpoint,
  FACTOR,
  type removeTotpEndpoint,
  type startTotpEndpoint,
} from '../../../src/contract/factor.ts'
import { z } from '../../../src/contract/zod.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { totps } from '../../db/schema/factors.ts'
import { accountQuery, readAccountToAdd, requireSignedIn } from '../session/account-query.ts'
import { factorsQuery } from '../account/has-factor.ts'
import { isOpenSession } from '../session/session.ts'
import { signValue, verifyValue } from '../crypto/sign.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { ApiError } from '../api-error.ts'
import { minutes } from '../time.ts'
import type { SessionHandler } from '../handler.ts'
import { afterAdding, removeFactor, requireMayAdd } from './change-factors.ts'
import { wrongCode } from './check-proof.ts'
import { acceptedTimeStep, newTotpSecret, totpUri } from './totp.ts'

const NAME = 'authenticator app'
const SETUP_MS = minutes(20)
const NewTotp = z.object({ secret: z.string(), userId: z.string() })

/** Makes a secret for an authenticator app. It is stored once the app's first code proves that the app has it. */
export const startTotp: SessionHandler<typeof startTotpEndpoint> = async (ctx, { claims }) => {
  const { accounts, factors } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    factors: factorsQuery(ctx, claims.userId),
  })
  const account = requireSignedIn(accounts)
  requireMayAdd(ctx, account)
  if (factors.some(({ hasTotp }) => hasTotp === 1))
    throw new ApiError('FACTOR_REFUSED', FACTOR.totpIsOn)
  const secret = await newTotpSecret(ctx)
  const { userId } = claims
  return {
    success: true,
    secret,
    uri: await totpUri(ctx, account.user.email, secret),
    sealed: await signValue(ctx, 'new-totp', { secret, userId, lifetimeMs: SETUP_MS }),
  }
}

/** Adds the authenticator app that shows this code. FACTOR_REFUSED for a wrong code, or when there is an app already. */
export const addTotp: SessionHandler<typeof addTotpEndpoint> = async (ctx, { claims, body }) => {
  const account = await readAccountToAdd(ctx, claims)
  requireMayAdd(ctx, account)
  const setup = await verifyValue(ctx, 'new-totp', { value: body.sealed, schema: NewTotp })
  if (setup?.userId !== claims.userId) throw new ApiError('LINK_INVALID', FACTOR.setupExpired)
  const { secret, userId } = setup
  const { code } = body
  const lastStep = await acceptedTimeStep({ secret, lastStep: 0 }, { code, now: ctx.now })
  if (lastStep === null) throw wrongCode('totp')
  const { shown, statements } = await afterAdding(ctx, account, NAME)
  const row = { userId, secret, lastStep, createdAt: ctx.now }
  const isOpen = sql`WHERE ${isOpenSession({ ...claims, now: ctx.now })}`
  const { added, codes } = await ctx.db.batch({
    added: ctx.db.run(sql`${insertFrom(totps, row, isOpen)} ON CONFLICT DO NOTHING`),
    ...statements,
  })
  if (added.rowsAffected === 0) throw new ApiError('FACTOR_REFUSED', FACTOR.totpIsOn)
  ctx.waitUntil(() => deliverDueMail(ctx))
  const recoveryCodes = codes.rowsAffected === 0 ? [] : shown
  return { success: true, message: FACTOR.totpOn, recoveryCodes }
}

/** Removes the authenticator app. NOT_FOUND when there is none. */
export const removeTotp: SessionHandler<typeof removeTotpEndpoint> = (ctx, { claims }) =>
  removeFactor(ctx, claims, { factor: NAME, table: totps, isThis: eq(totps.userId, claims.userId) })
