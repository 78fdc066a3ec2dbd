import { and, eq, type SQL, sql } from 'drizzle-orm'
import { DESK_ACT } from '../../../../src/contract/desk-acts.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { users } from '../../../db/schema/users.ts'
import { endAccess, isOpen } from '../../account/session.ts'
import type { Context } from '../../context.ts'
import {
  type ActOf,
  inOneBatch,
  isThere,
  mailTo,
  type PlannedAct,
  refuse,
  requireNoOperator,
  requireTarget,
  type Target,
  targetQuery,
} from '../planned-act.ts'

type About = Pick<ActOf<'suspend'>, 'userId'>

/** Who may be signed in. */
export const ACCESS = {
  end_sessions: planEndSessions,
  suspend: planSuspend,
  lift_suspension: planLiftSuspension,
}

/** Signs an account out everywhere. */
async function planEndSessions(ctx: Context, { userId }: About): Promise<PlannedAct> {
  const { targets, open } = await ctx.db.batch({
    targets: targetQuery(ctx, userId),
    open: countOpen(ctx, userId),
  })
  requireTarget(targets)
  const count = open[0]?.count ?? 0
  if (count === 0) throw refuse(DESK_ACT.noSessions)
  return {
    changes: [endOf(count)],
    carryOut: inOneBatch(
      ctx,
      sql`EXISTS (SELECT 1 FROM ${sessions} WHERE ${isOpenFor(ctx, userId)})`,
      (isWritten) => ({ access: endAccess(ctx, { userId, when: isWritten }) }),
    ),
  }
}

/** Keeps an account out until the suspension is lifted, and tells its user. Money and tokens stay as they are. */
async function planSuspend(ctx: Context, { userId }: About): Promise<PlannedAct> {
  const { targets, open } = await ctx.db.batch({
    targets: targetQuery(ctx, userId),
    open: countOpen(ctx, userId),
  })
  const target = requireTarget(targets)
  const { email, suspendedAt } = target
  if (suspendedAt !== null) throw refuse(DESK_ACT.isSuspended)
  requireNoOperator(ctx, target)
  return {
    changes: [
      'Nobody can sign in to the account.',
      endOf(open[0]?.count ?? 0),
      'We email the customer about it, and about how to get a refund.',
    ],
    carryOut: inOneBatch(ctx, isAsSeen(target), (isWritten) => ({
      suspended: ctx.db
        .update(users)
        .set({ suspendedAt: ctx.now })
        .where(and(eq(users.id, userId), isWritten)),
      mail: mailTo(ctx, isWritten, { kind: 'account_suspended', payload: {}, to: email, userId }),
      access: endAccess(ctx, { userId, when: isWritten }),
    })),
  }
}

/** Lets an account in again. */
async function planLiftSuspension(ctx: Context, { userId }: About): Promise<PlannedAct> {
  const { targets } = await ctx.db.batch({ targets: targetQuery(ctx, userId) })
  const target = requireTarget(targets)
  const { email, suspendedAt } = target
  if (suspendedAt === null) throw refuse(DESK_ACT.isNotSuspended)
  return {
    changes: ['The account can sign in again.', 'We email the customer about it.'],
    carryOut: inOneBatch(ctx, isAsSeen(target), (isWritten) => ({
      lifted: ctx.db
        .update(users)
        .set({ suspendedAt: null })
        .where(and(eq(users.id, userId), isWritten)),
      mail: mailTo(ctx, isWritten, { kind: 'suspension_lifted', payload: {}, to: email, userId }),
    })),
  }
}

/** Whether it is suspended as the operator saw it. */
function isAsSeen({ id, suspendedAt }: Target): SQL {
  return isThere(id, sql`u.suspended_at IS ${suspendedAt}`)
}

function isOpenFor({ now }: Context, userId: string) {
  return and(eq(sessions.userId, userId), isOpen(now))
}

function countOpen(ctx: Context, userId: string) {
  const count = sql<number>`count(*)`
  return ctx.db.select({ count }).from(sessions).where(isOpenFor(ctx, userId))
}

const endOf = (count: number) =>
  count === 1 ? 'One session ends.' : `${count} sessions end, and sign-in codes stop working.`
