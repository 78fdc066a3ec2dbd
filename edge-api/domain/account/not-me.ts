import { and, eq, gt, gte, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { NOT_ME, type notMeEndpoint } from '../../../src/contract/credential.ts'
import { previousChangedOne } from '../../db/previous-statement.ts'
import { passkeys, totps } from '../../db/schema/factors.ts'
import { mailedLinks } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { sha256Hex } from '../encoding.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { enqueueMailFrom } from '../mail/outbox.ts'
import { Refusal } from '../refusal.ts'
import type { PublicVerb } from '../verb.ts'
import { recordEventIf } from './account-event.ts'
import { type MailedLink, newMailedLink, storeLinkFrom } from './mailed-link.ts'
import { endAccess } from './session.ts'

/**
 * Locks an account whose user says, with the link of a security mail, that something was not them: ends all access to
 * it, clears the password and mails a reset link. The link of a mail about a further factor also removes what was added
 * since. LINK_INVALID unless the link is good.
 */
export const notMe: PublicVerb<typeof notMeEndpoint> = async (ctx, { params }) => {
  const secretHash = await sha256Hex(params.token)
  const { links } = await ctx.db.batch({ links: findLink(ctx, secretHash) })
  const [link] = links
  if (link === undefined) throw invalid()
  const reset = await newMailedLink(ctx, 'reset')
  const { taken } = await ctx.db.batch(lockStatements(ctx, { ...link, secretHash, reset }))
  if (taken.length === 0) throw invalid()
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { success: true, message: NOT_ME.done }
}

function findLink(ctx: Context, secretHash: string) {
  return ctx.db
    .select({
      userId: users.id,
      email: users.email,
      purpose: mailedLinks.purpose,
      createdAt: mailedLinks.createdAt,
    })
    .from(mailedLinks)
    .innerJoin(
      users,
      and(eq(users.id, mailedLinks.userId), eq(users.emailKey, mailedLinks.emailKey)),
    )
    .where(and(isGood(ctx, secretHash), isNull(users.deletedAt)))
}

function isGood({ now }: Context, secretHash: string) {
  return and(
    eq(mailedLinks.secretHash, secretHash),
    inArray(mailedLinks.purpose, ['not_me', 'not_my_factor']),
    isNull(mailedLinks.usedAt),
    isNull(mailedLinks.voidedAt),
    gt(mailedLinks.expiresAt, now),
  )
}

type Lock = Awaited<ReturnType<typeof findLink>>[number] & {
  secretHash: string
  reset: MailedLink
}

/** The link is taken by one of several calls, and every other statement runs only in that call. */
function lockStatements(ctx: Context, lock: Lock) {
  const { db, now } = ctx
  const { userId, email, secretHash, reset } = lock
  const { event, isRecorded: isOurs } = recordEventIf(
    ctx,
    { userId, kind: 'not_me' },
    sql`WHERE ${previousChangedOne}`,
  )
  return {
    taken: db
      .update(mailedLinks)
      .set({ usedAt: now })
      .where(isGood(ctx, secretHash))
      .returning({ userId: mailedLinks.userId }),
    event,
    access: endAccess(ctx, { userId, when: isOurs }),
    cleared: db
      .update(users)
      .set({ passwordHash: '', updatedAt: now })
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
 * otherwise whoever reads the mailbox could turn two-step sign-in off for as long as the link works.
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

function invalid(): Refusal {
  return new Refusal('LINK_INVALID', NOT_ME.invalid)
}
