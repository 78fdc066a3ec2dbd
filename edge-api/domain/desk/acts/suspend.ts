import { and, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import { type Act, DESK } from '../../../../src/contract/desk.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { accountKey } from '../../account/account-key.ts'
import { voidUnredeemed } from '../../account/open-session.ts'
import type { Context } from '../../context.ts'
import { enqueueMail } from '../../mail/outbox.ts'
import { Refusal } from '../../refusal.ts'
import type { Plan } from '../act.ts'
import { requireTarget, targetQuery } from './target.ts'

type About = Pick<Extract<Act, { kind: 'suspend' }>, 'userId'>

/** Signs an account out everywhere. */
export async function planEndSessions(ctx: Context, { userId }: About): Promise<Plan> {
  const { targets, open } = await ctx.db.batch({
    targets: targetQuery(ctx, userId),
    open: countOpen(ctx, userId),
  })
  requireTarget(targets)
  const count = open[0]?.count ?? 0
  if (count === 0) throw new Refusal('NOTHING_TO_CHANGE', DESK.noSessions)
  return {
    changes: [endOf(count)],
    subject: null,
    carryOut: (entry) => ctx.db.batch({ entry, ended: endSessions(ctx, userId) }),
  }
}

/** Keeps an account out until the suspension is lifted, and tells its user. Money and tokens stay as they are. */
export async function planSuspend(ctx: Context, { userId }: About): Promise<Plan> {
  const { targets, open } = await ctx.db.batch({
    targets: targetQuery(ctx, userId),
    open: countOpen(ctx, userId),
  })
  const { email, emailKey, suspendedAt } = requireTarget(targets)
  if (suspendedAt !== null) throw new Refusal('NOTHING_TO_CHANGE', DESK.isSuspended)
  if (ctx.operators.map(accountKey).includes(emailKey)) {
    throw new Refusal('NOTHING_TO_CHANGE', DESK.isOperator)
  }
  return {
    changes: [
      'Nobody can sign in to the account.',
      endOf(open[0]?.count ?? 0),
      `A mail tells ${email} so, and how to get money back.`,
    ],
    subject: null,
    carryOut: (entry) =>
      ctx.db.batch({
        entry,
        suspended: ctx.db
          .update(users)
          .set({ suspendedAt: ctx.now })
          .where(and(eq(users.id, userId), isNull(users.suspendedAt))),
        mail: enqueueMail(ctx, { kind: 'account_suspended', payload: {}, to: email, userId }),
        ended: endSessions(ctx, userId),
      }),
  }
}

/** Lets an account in again. */
export async function planLiftSuspension(ctx: Context, { userId }: About): Promise<Plan> {
  const { targets } = await ctx.db.batch({ targets: targetQuery(ctx, userId) })
  const { email, suspendedAt } = requireTarget(targets)
  if (suspendedAt === null) throw new Refusal('NOTHING_TO_CHANGE', DESK.isNotSuspended)
  return {
    changes: ['The account can be signed in to again.', `A mail tells ${email} so.`],
    subject: null,
    carryOut: (entry) =>
      ctx.db.batch({
        entry,
        lifted: ctx.db
          .update(users)
          .set({ suspendedAt: null })
          .where(and(eq(users.id, userId), isNotNull(users.suspendedAt))),
        mail: enqueueMail(ctx, { kind: 'suspension_lifted', payload: {}, to: email, userId }),
      }),
  }
}

function isOpen({ now }: Context, userId: string) {
  return and(eq(sessions.userId, userId), isNull(sessions.endedAt), gt(sessions.expiresAt, now))
}

function countOpen(ctx: Context, userId: string) {
  const count = sql<number>`count(*)`
  return ctx.db.select({ count }).from(sessions).where(isOpen(ctx, userId))
}

function endSessions(ctx: Context, userId: string) {
  return [
    ctx.db.update(sessions).set({ endedAt: ctx.now }).where(isOpen(ctx, userId)),
    ...voidUnredeemed(ctx, userId),
  ]
}

const endOf = (count: number) =>
  count === 1 ? 'One session ends.' : `${count} sessions end, and codes to sign in are void.`
