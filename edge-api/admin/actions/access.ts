import { and, eq, type SQL, sql } from 'drizzle-orm'
import { z } from '../../../src/contract/zod.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { endAccess, isOpen } from '../../domain/account/session.ts'
import type { Context } from '../../domain/context.ts'
import {
  defineAccountAction,
  inOneBatch,
  isThere,
  mailTo,
  NOTHING_TOLD,
  reject,
  type Target,
} from './action.ts'

const input = z.object({})

/** Signs an account out everywhere. */
const endSessions = defineAccountAction({
  kind: 'end_sessions',
  label: 'End all sessions',
  input,
  plan: async (ctx, { id: userId }) => {
    const count = await countOpen(ctx, userId)
    if (count === 0) throw reject('The account has no open session.')
    const isStillOpen = sql`EXISTS (SELECT 1 FROM ${sessions} WHERE ${isOpenFor(ctx, userId)})`
    return {
      changes: [endOf(count)],
      told: NOTHING_TOLD,
      execute: inOneBatch(ctx, isStillOpen, (isWritten) => ({
        access: endAccess(ctx, { userId, when: isWritten }),
      })),
    }
  },
})

/** Keeps an account out until the suspension is lifted. Money and tokens stay as they are. */
const suspend = defineAccountAction({
  kind: 'suspend',
  label: 'Suspend the account',
  input,
  isDangerous: true,
  plan: async (ctx, target) => {
    const { id: userId, suspendedAt } = target
    if (suspendedAt !== null) throw reject('The account is already suspended.')
    return {
      changes: ['Nobody can sign in to the account.', endOf(await countOpen(ctx, userId))],
      told: 'We email the customer about it, and about how to get a refund.',
      execute: inOneBatch(ctx, isAsSeen(target), (isWritten) => ({
        ...setSuspended(ctx, target, { suspendedAt: ctx.now, isWritten }),
        access: endAccess(ctx, { userId, when: isWritten }),
      })),
    }
  },
})

/** Lets an account in again. */
const liftSuspension = defineAccountAction({
  kind: 'lift_suspension',
  label: 'Lift the suspension',
  input,
  plan: async (ctx, target) => {
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

async function countOpen(ctx: Context, userId: string): Promise<number> {
  const { db } = ctx
  const [open] = await db.batch([
    db.select({ id: sessions.id }).from(sessions).where(isOpenFor(ctx, userId)),
  ])
  return open.length
}

const endOf = (count: number) =>
  count === 1 ? 'One session ends.' : `${count} sessions end, and sign-in codes stop working.`
