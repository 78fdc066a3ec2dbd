import { and, eq, isNull, sql } from 'drizzle-orm'
import { FACTOR, type secondStepEndpoint } from '../../../src/contract/factor.ts'
import { previousChangedOne } from '../../db/insert-from.ts'
import { oneTimeCodes } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { isKnownDevice } from '../account/device-cookie.ts'
import { factorColumns } from '../account/has-factor.ts'
import { type NewSession, requireUsable } from '../session/session.ts'
import { isNewDevice, signInColumns, answerSignIn, redeemingSignIn } from './sign-in.ts'
import type { Context } from '../context.ts'
import { sha256Hex } from '../encoding.ts'
import { checkProof, proofStatements, rejectUsed } from '../factors/check-proof.ts'
import { lacksCodes, newCodesOf, replaceCodes, reportRecovery } from '../factors/recovery-codes.ts'
import { isOpenCode, redeemCode } from '../factors/sign-in-ticket.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { requireRow } from '../api-error.ts'
import type { PublicHandler } from '../handler.ts'

/**
 * Finishes a sign-in with a factor: the ticket of the first step and the proof open one session. LINK_INVALID when the
 * ticket is unknown, expired or redeemed, or the account suspended or locked; FACTOR_REFUSED for a wrong proof, and
 * RATE_LIMITED after too many wrong codes, both of which leave the ticket as it is.
 */
export const secondStep: PublicHandler<typeof secondStepEndpoint> = async (ctx, { body }) => {
  const { proof } = body
  const ticketHash = await sha256Hex(body.ticket)
  const { waiting, ...found } = await ctx.db.batch({
    waiting: findWaiting(ctx, ticketHash),
    ...proofStatements(ctx, ownerOf(ctx, ticketHash), proof),
  })
  const user = requireRow(waiting, 'LINK_INVALID', FACTOR.expired)
  requireUsable(user, 'LINK_INVALID')
  const isKnown = await isKnownDevice(ctx, user)
  const accepted = await checkProof(ctx, proof, {
    ...found,
    userId: user.id,
    caller: isKnown ? `browser:${ctx.deviceCookie.given}` : null,
    condition: sql`EXISTS ${ownerOf(ctx, ticketHash)}`,
  })
  const newCodes = user.lacksCodes === 1 ? await replaceCodes(ctx, user) : null
  const signIn = {
    user,
    isRemembered: user.isRemembered,
    isNewDevice: await isNewDevice(ctx, user),
    newCodes,
    afterSession: ({ id }: NewSession) =>
      proof.kind === 'recovery' ? reportRecovery(ctx, user, id) : [],
  }
  const redeeming = {
    accepted,
    redeemed: redeemCode(ctx, ticketHash, 'second_step', previousChangedOne),
  }
  const statements = await redeemingSignIn(ctx, signIn, redeeming)
  const { redeemed, accounts, newCodesEvent } = await ctx.db.batch(statements)
  // The recovery code is wrong, or the same proof or ticket was used a moment before.
  if (redeemed.length === 0) throw rejectUsed(ctx, user.id, proof.kind)
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { ...(await answerSignIn(ctx, accounts)), ...newCodesOf(newCodes, newCodesEvent) }
}

/** A subquery of the account that a ticket is for. */
function ownerOf(ctx: Context, ticketHash: string) {
  return sql`(SELECT ${oneTimeCodes.userId} FROM ${oneTimeCodes} WHERE ${isOpenCode(ctx, ticketHash, 'second_step')})`
}

function findWaiting(ctx: Context, ticketHash: string) {
  return ctx.db
    .select({
      isRemembered: oneTimeCodes.isRemembered,
      ...signInColumns(ctx),
      ...factorColumns(),
      lacksCodes: lacksCodes(),
    })
    .from(oneTimeCodes)
    .innerJoin(users, eq(users.id, oneTimeCodes.userId))
    .where(and(isOpenCode(ctx, ticketHash, 'second_step'), isNull(users.deletedAt)))
}
