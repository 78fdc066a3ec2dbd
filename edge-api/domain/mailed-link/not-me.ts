import { and, eq, gte, type SQL, sql } from 'drizzle-orm'
import type { notMeEndpoint } from '../../../src/contract/credential.ts'
import { NOT_ME } from '../../../src/contract/messages.ts'
import { previousChangedOne } from '../../db/insert-from.ts'
import { passkeys, recoveryCodes, totps } from '../../db/schema/factors.ts'
import { mailedLinks } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { sha256Hex } from '../encoding.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { enqueueMailFrom } from '../mail/outbox.ts'
import { ApiError } from '../api-error.ts'
import type { PublicHandler } from '../handler.ts'
import { recordEventIf } from '../account/record-event.ts'
import { hadFactor } from '../account/has-factor.ts'
import {
  isUsableLink,
  type MailedLink,
  newMailedLink,
  requireLink,
  storeLinkFrom,
} from './mailed-link.ts'
import { endAccess } from '../session/session.ts'

/**
 * Locks an account whose user says, with the link of a security mail, that something was not them: no session opens until
 * a reset link sets a new password. Ends all sessions, disconnects Google, takes away factors that were added since, and mails
 * a reset link. LINK_INVALID unless the link is good. The password stays until then, so that whoever types it reads why
 * it opens nothing.
 */
export const notMe: PublicHandler<typeof notMeEndpoint> = async (ctx, { params }) => {
  const secretHash = await sha256Hex(params.token)
  const isGood = isUsableLink(ctx, secretHash, 'not_me', 'not_my_factor')
  const link = await requireLink(ctx, isGood, NOT_ME.invalid)
  const reset = await newMailedLink(ctx, 'reset')
  const { taken } = await ctx.db.batch(lockStatements(ctx, { ...link, isGood, reset }))
  if (taken.length === 0) throw new ApiError('LINK_INVALID', NOT_ME.invalid)
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { success: true, message: NOT_ME.done }
}

type Lock = Awaited<ReturnType<typeof requireLink>> & {
  /** In SQL, whether the link still works. */
  isGood: SQL | undefined
  reset: MailedLink
}

/** Only one of several calls uses the link up, and the other statements run only in that call. */
function lockStatements(ctx: Context, lock: Lock) {
  const { db, now } = ctx
  const { userId, email, isGood, reset } = lock
  const { event, isRecorded: isOurs } = recordEventIf(
    ctx,
    { userId, kind: 'not_me' },
    sql`WHERE ${previousChangedOne}`,
  )
  return {
    taken: db
      .update(mailedLinks)
      .set({ usedAt: now })
      .where(isGood)
      .returning({ userId: mailedLinks.userId }),
    event,
    access: endAccess(ctx, { userId, when: isOurs, keepsCodes: true }),
    locked: db
      .update(users)
      .set({ lockedAt: now, googleSubject: null, updatedAt: now })
      .where(and(eq(users.id, userId), isOurs)),
    factors: removeSince(ctx, lock, isOurs),
    link: storeLinkFrom(ctx, reset, sql`FROM ${users} WHERE ${users.id} = ${userId} AND ${isOurs}`),
    mail: enqueueMailFrom(
      ctx,
      {
        kind: 'reset_password',
        payload: { secret: reset.secret, isLocked: true },
        to: email,
        userId,
      },
      sql`WHERE ${isOurs}`,
    ),
  }
}

/**
 * Removes the factors and recovery codes added since the mail was written. From an account that had a second step then, only
 * while an older factor is left to ask for: otherwise a reader of the mailbox could turn two-step sign-in off.
 */
function removeSince({ db }: Context, { userId, createdAt, hadSecondStep }: Lock, isOurs: SQL) {
  const mayRemove = hadSecondStep ? hadFactor(createdAt, userId) : undefined
  const since = (table: typeof passkeys | typeof totps | typeof recoveryCodes) =>
    db
      .delete(table)
      .where(and(eq(table.userId, userId), gte(table.createdAt, createdAt), isOurs, mayRemove))
  return [since(passkeys), since(totps), since(recoveryCodes)] as const
}
