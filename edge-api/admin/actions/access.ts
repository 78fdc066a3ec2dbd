import { and, eq, type SQL, sql } from 'drizzle-orm'
import { Id } from '../../../src/contract/text.ts'
import { z } from '../../../src/contract/zod.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { endAccess, isOpen } from '../../domain/account/session.ts'
import type { Context } from '../../domain/context.ts'
import {
  defineAction,
  inOneBatch,
  isThere,
  mailTo,
  NOTHING_TOLD,
  reject,
  requireTarget,
  type Target,
  targetQuery,
} from './action.ts'

const input = z.object({ user: Id })

/** Signs an account out everywhere. */
const endSessions = defineAction({
  kind: 'end_sessions',
  label: 'End all sessions',
  input,
  plan: async (ctx, { user: userId }) => {
    const { targets, open } = await ctx.db.batch({
      targets: targetQuery(ctx, userId),
      open: countOpen(ctx, userId),
    })
    requireTarget(ctx, targets)
    const count = open[0]?.count ?? 0
    if (count === 0) throw reject('The account has no open session.')
    return {
      changes: [endOf(count)],
      told: NOTHING_TOLD,
      execute: inOneBatch(
        ctx,
        sql`EXISTS (SELECT 1 FROM ${sessions} WHERE ${isOpenFor(ctx, userId)})`,
        (isWritten) => ({ access: endAccess(ctx, { userId, when: isWritten }) }),
      ),
    }
  },
})

/** Keeps an account out until the suspension is lifted. Money and tokens stay as they are. */
const suspend = defineAction({
  kind: 'suspend',
  label: 'Suspend the account',
  input,
  isDangerous: true,
  plan: async (ctx, { user: userId }) => {
    const { targets, open } = await ctx.db.batch({
      targets: targetQuery(ctx, userId),
      open: countOpen(ctx, userId),
    })
    const target = requireTarget(ctx, targets)
    if (target.suspendedAt !== null) throw reject('The account is already suspended.')
    return {
      changes: ['Nobody can sign in to the account.', endOf(open[0]?.count ?? 0)],
      told: 'We email the customer about it, and about how to get a refund.',
      execute: inOneBatch(ctx, isAsSeen(target), (isWritten) => ({
        ...setSuspended(ctx, target, { suspendedAt: ctx.now, isWritten }),
        access: endAccess(ctx, { userId, when: isWritten }),
      })),
    }
  },
})

/** Lets an account in again. */
const liftSuspension = defineAction({
  kind: 'lift_suspension',
  label: 'Lift the suspension',
  input,
  plan: async (ctx, { user: userId }) => {
    const { targets } = await ctx.db.batch({ targets: targetQuery(ctx, userId) })
    const target = requireTarget(ctx, targets)
    if (target.suspendedAt === null) throw reject('The account is not suspended.')
    return {
      changes: ['The account can sign in again.'],
      told: 'We email the customer about it.',
      execute: inOneBatch(ctx, isAsSeen(target), (isWritten) =>
        setSuspended(ctx, target, { suspendedAt: null, isWritten }),
      ),
    }
  },
})

/** Who may be signed in. */
export const ACCESS_ACTIONS = [endSessions, suspend, liftSuspension]

function setSuspended(
  ctx: Context,
  { id: userId, email: to }: Target,
  { suspendedAt, isWritten }: { suspendedAt: number | null; isWritten: SQL },
) {
  const kind = suspendedAt === null ? 'suspension_lifted' : 'account_suspended'
  return {
    user: ctx.db
      .update(users)
      .set({ suspendedAt })
      .where(and(eq(users.id, userId), isWritten)),
    mail: mailTo(ctx, isWritten, { kind, payload: {}, to, userId }),
  }
}

/** Whether it is suspended as the admin saw it. */
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
