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
import { makeCodes } from './recovery-codes.ts'
import { acceptedTimeStep, findTotp, newTotpSecret, totpUri } from './totp.ts'

const NAME = 'authenticator app'
const SETUP_MS = minutes(20)
/** Codes are missing in what was handed out before 30 November 2026. */
const NewTotp = z.object({
  secret: z.string(),
  userId: z.string(),
  codes: z.array(z.string()).optional(),
})

/**
 * Makes a secret for an authenticator app, and the recovery codes that may come with it. They are stored once the app's first code
 * proves that the app has it.
 */
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
    sealed: await signValue(ctx, 'new-totp', {
      ...{ secret, userId, codes: makeCodes(ctx) },
      lifetimeMs: SETUP_MS,
    }),
  }
}

/**
 * Adds the authenticator app that shows this code. FACTOR_REFUSED for a wrong code, or when there is another app already. Adding it
 * again changes nothing and answers the same recovery codes: without the first answer nobody has seen them, and a rejection would
 * make people take out of their app what the next sign-in asks for.
 */
export const addTotp: SessionHandler<typeof addTotpEndpoint> = async (ctx, { claims, body }) => {
  const account = await readAccountToAdd(ctx, claims)
  requireMayAdd(ctx, account)
  const setup = await verifyValue(ctx, 'new-totp', { value: body.sealed, schema: NewTotp })
  if (setup?.userId !== claims.userId) throw new ApiError('LINK_INVALID', FACTOR.setupExpired)
  const { secret, userId, codes } = setup
  const { code } = body
  const lastStep = await acceptedTimeStep({ secret, lastStep: 0 }, { code, now: ctx.now })
  if (lastStep === null) throw wrongCode('totp')
  const { shownOf, statements } = await afterAdding(ctx, account, NAME, codes)
  const row = { userId, secret, lastStep, createdAt: ctx.now }
  const isOpen = sql`WHERE ${isOpenSession({ ...claims, now: ctx.now })}`
  const { apps, stored } = await ctx.db.batch({
    added: ctx.db.run(sql`${insertFrom(totps, row, isOpen)} ON CONFLICT DO NOTHING`),
    ...statements,
    apps: findTotp(ctx, sql`${userId}`),
  })
  if (apps[0]?.secret !== secret) throw new ApiError('FACTOR_REFUSED', FACTOR.totpIsOn)
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { success: true, message: FACTOR.totpOn, recoveryCodes: shownOf(stored) }
}

/** Removes the authenticator app. NOT_FOUND when there is none. */
export const removeTotp: SessionHandler<typeof removeTotpEndpoint> = (ctx, { claims }) =>
  removeFactor(ctx, claims, { factor: NAME, table: totps, isThis: eq(totps.userId, claims.userId) })
