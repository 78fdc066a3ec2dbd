import { and, eq, sql } from 'drizzle-orm'
import { z } from '../../../src/contract/zod.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { endAccess, isOpen } from '../../domain/session/session.ts'
import type { Context } from '../../domain/context.ts'
import {
  defineAccountAction,
  inOneBatch,
  isThere,
  mailTo,
  NO_NOTIFICATION,
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
      notification: NO_NOTIFICATION,
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
    if (target.suspendedAt !== null) throw reject('The account is already suspended.')
    return {
      changes: ['Nobody can sign in to the account.', endOf(await countOpen(ctx, target.id))],
      notification: 'We email the customer about it, and about how to get a refund.',
      execute: setSuspended(ctx, target, ctx.now),
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
      notification: 'We email the customer about it.',
      execute: setSuspended(ctx, target, null),
    }
  },
})

/** Who may be signed in. */
export const ACCESS_ACTIONS = [endSessions, suspend, liftSuspension]

function setSuspended(ctx: Context, target: Target, suspendedAt: number | null) {
  const { id: userId, email: to } = target
  const kind = suspendedAt === null ? 'suspension_lifted' : 'account_suspended'
  const isAsSeen = isThere(userId, sql`u.suspended_at IS ${target.suspendedAt}`)
  return inOneBatch(ctx, isAsSeen, (isWritten) => ({
    user: ctx.db
      .update(users)
      .set({ suspendedAt })
      .where(and(eq(users.id, userId), isWritten)),
    mail: mailTo(ctx, isWritten, { kind, payload: {}, to, userId }),
    access: suspendedAt === null ? [] : endAccess(ctx, { userId, when: isWritten }),
  }))
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
