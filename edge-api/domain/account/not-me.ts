import { and, eq, gte, type SQL, sql } from 'drizzle-orm'
import type { notMeEndpoint } from '../../../src/contract/credential.ts'
import { NOT_ME } from '../../../src/contract/messages.ts'
import { previousChangedOne } from '../../db/insert-from.ts'
import { passkeys, totps } from '../../db/schema/factors.ts'
import { mailedLinks } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { sha256Hex } from '../encoding.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { enqueueMailFrom } from '../mail/outbox.ts'
import { Refusal } from '../refusal.ts'
import type { PublicHandler } from '../handler.ts'
import { recordEventIf } from './account-event.ts'
import {
  isUsableLink,
  type MailedLink,
  newMailedLink,
  requireLink,
  storeLinkFrom,
} from './mailed-link.ts'
import { endAccess } from './session.ts'

/**
 * Locks an account whose user says, with the link of a security mail, that something was not them: ends all access to
 * it, clears the password, disconnects Google and mails a reset link. The link of a mail about a further factor also
 * removes the factors added since. LINK_INVALID unless the link is good.
 */
export const notMe: PublicHandler<typeof notMeEndpoint> = async (ctx, { params }) => {
  const secretHash = await sha256Hex(params.token)
  const isGood = isUsableLink(ctx, secretHash, 'not_me', 'not_my_factor')
  const link = await requireLink(ctx, isGood, NOT_ME.invalid)
  const reset = await newMailedLink(ctx, 'reset')
  const { taken } = await ctx.db.batch(lockStatements(ctx, { ...link, isGood, reset }))
  if (taken.length === 0) throw new Refusal('LINK_INVALID', NOT_ME.invalid)
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
    access: endAccess(ctx, { userId, when: isOurs }),
    cleared: db
      .update(users)
      .set({ passwordHash: '', googleSubject: null, updatedAt: now })
      .where(and(eq(users.id, userId), isOurs)),
    factors: lock.purpose === 'not_my_factor' ? removeSince(ctx, lock, isOurs) : null,
    link: storeLinkFrom(ctx, reset, sql`FROM ${users} WHERE ${users.id} = ${userId} AND ${isOurs}`),
    mail: enqueueMailFrom(
      ctx,
      { kind: 'reset_password', payload: { secret: reset.secret }, to: email, userId },
      sql`WHERE ${isOurs}`,
    ),
  }
}

/**
 * Removes the factors added since the mail was written, provided an older one is left to ask for. A first factor stays:
 * otherwise a reader of the mailbox could turn two-step sign-in off for as long as the link works.
 */
function removeSince({ db }: Context, { userId, createdAt }: Lock, isOurs: SQL) {
  const hasOlder = sql`(
    EXISTS (SELECT 1 FROM ${passkeys} p WHERE p.user_id = ${userId} AND p.created_at < ${createdAt})
    OR EXISTS (SELECT 1 FROM ${totps} t WHERE t.user_id = ${userId} AND t.created_at < ${createdAt}))`
  return [
    db
      .delete(passkeys)
      .where(
        and(eq(passkeys.userId, userId), gte(passkeys.createdAt, createdAt), isOurs, hasOlder),
      ),
    db
      .delete(totps)
      .where(and(eq(totps.userId, userId), gte(totps.createdAt, createdAt), isOurs, hasOlder)),
  ] as const
}
