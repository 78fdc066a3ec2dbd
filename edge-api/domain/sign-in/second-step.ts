import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { FACTOR, type secondStepEndpoint } from '../../../src/contract/factor.ts'
import { previousChangedOne } from '../../db/insert-from.ts'
import { signInTickets } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { cookieInBytes, hasDeviceCookie } from '../account/device-cookie.ts'
import { insertSession, newSession, requireUsable } from '../session/session.ts'
import { answerSignIn, isNewDevice, signInColumns, signInStatements } from './every-sign-in.ts'
import type { Context } from '../context.ts'
import { sha256Hex } from '../encoding.ts'
import { checkProof, proofStatements, rejectUsed } from '../factors/check-proof.ts'
import { lacksCodes, newCodesOf, replaceCodes, reportRecovery } from '../factors/recovery-codes.ts'
import { isOpenTicket, redeemTicket } from './sign-in-ticket.ts'
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
  const isOpen = isOpenTicket(ctx, ticketHash, 'second_step')
  const userId = sql`(SELECT ${signInTickets.userId} FROM ${signInTickets} WHERE ${isOpen})`
  const { waiting, ...factors } = await ctx.db.batch({
    waiting: findWaiting(ctx, isOpen),
    ...proofStatements(ctx, userId, proof),
  })
  const user = requireRow(waiting, 'LINK_INVALID', FACTOR.expired)
  requireUsable(user, 'LINK_INVALID')
  const isOwn = await hasDeviceCookie(ctx, user)
  const accepted = await checkProof(ctx, proof, {
    ...factors,
    userId: user.id,
    guesser: isOwn ? `browser:${cookieInBytes(ctx)}` : `others:${user.id}`,
    condition: sql`EXISTS ${userId}`,
  })
  const { isRemembered } = user
  const session = newSession(ctx, { userId: user.id, kind: 'browser', isRemembered })
  const signIn = { user, isNewDevice: await isNewDevice(ctx, user) }
  const newCodes = user.lacksCodes === 1 ? await replaceCodes(ctx, user, session.id) : null
  // The ticket is redeemed only if the proof was accepted, and the session opens only if the ticket was redeemed.
  const { redeemed, accounts, codes } = await ctx.db.batch({
    accepted,
    redeemed: redeemTicket(ctx, ticketHash, 'second_step', previousChangedOne),
    session: insertSession(ctx, session, previousChangedOne),
    recovery: proof.kind === 'recovery' ? await reportRecovery(ctx, user, session.id) : null,
    ...(await signInStatements(ctx, session, signIn)),
    codes: newCodes?.statements ?? null,
  })
  // The recovery code is wrong, or the same proof or ticket was used a moment before.
  if (redeemed.length === 0) throw rejectUsed(ctx, user.id, proof.kind)
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { ...(await answerSignIn(ctx, accounts)), ...newCodesOf(newCodes, codes) }
}

function findWaiting(ctx: Context, isOpen: SQL | undefined) {
  return ctx.db
    .select({
      isRemembered: signInTickets.isRemembered,
      ...signInColumns(ctx),
      lacksCodes: lacksCodes(),
    })
    .from(signInTickets)
    .innerJoin(users, eq(users.id, signInTickets.userId))
    .where(and(isOpen, isNull(users.deletedAt)))
}
