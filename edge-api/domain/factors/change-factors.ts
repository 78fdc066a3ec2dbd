import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { FACTOR } from '../../../src/contract/factor.ts'
import { SERVER } from '../../../src/contract/messages.ts'
import { previousChangedOne } from '../../db/insert-from.ts'
import { recoveryCodes } from '../../db/schema/factors.ts'
import { recordEventIf } from '../account/record-event.ts'
import { type Account, readConfirmed, requireConfirmed } from '../session/account-query.ts'
import { hasFactor } from '../account/has-factor.ts'
import { securityMail } from '../mailed-link/mailed-link.ts'
import { endAccess, isOpenSession } from '../session/session.ts'
import type { Context, Claims } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { ApiError } from '../api-error.ts'
import { newRecoveryCodes, storeCodes, unusedOf } from './recovery-codes.ts'

/**
 * Throws unless the account may get a factor now: its user was confirmed, and the address is verified, so that nobody can
 * lock out the owner of an address, who registers later.
 */
export function requireMayAdd(ctx: Context, account: Account): void {
  requireConfirmed(ctx, account)
  if (account.user.emailVerifiedAt !== null) return
  throw new ApiError('FACTOR_REFUSED', FACTOR.verifyFirst)
}

interface Change {
  kind: 'factor_added' | 'factor_removed'
  /** The name as it reads in "… added". */
  factor: string
}

/** The event and the mail about a change, provided the statement before them in the batch made it. */
async function report(ctx: Context, { user }: Account, { kind, factor }: Change) {
  const { event, isRecorded: isOurs } = recordEventIf(
    ctx,
    { userId: user.id, kind, detail: { factor } },
    sql`WHERE ${previousChangedOne}`,
  )
  const isAdded = kind === 'factor_added'
  const change = `A second step was ${isAdded ? 'added' : 'removed'}: ${factor}.`
  return {
    isOurs,
    statements: [
      event,
      ...(await securityMail(ctx, {
        kind: 'factor_changed',
        payload: (secret) => ({ change, secret }),
        user,
        source: sql`WHERE ${isOurs}`,
        followsRemoval: !isAdded,
      })),
    ] as const,
  }
}

/**
 * The statements after the one that inserts a factor. The first factor of an account ends all access but this session, so that
 * every session of an account with a second step has passed it. With it, recovery codes are stored where none are unused: `made`, or
 * new ones. `shownOf` answers what to display of them: none when others are stored.
 */
export async function afterAdding(ctx: Context, account: Account, factor: string, made?: string[]) {
  const { user, session } = account
  const codes = await newRecoveryCodes(ctx, made)
  const { isOurs, statements } = await report(ctx, account, { kind: 'factor_added', factor })
  const isFirst = sql`${isOurs} AND NOT EXISTS (
    SELECT 1 FROM ${recoveryCodes} r WHERE r.user_id = ${user.id})`
  return {
    shownOf: (stored: readonly unknown[]) => (stored.length === 0 ? [] : codes.shown),
    statements: {
      report: statements,
      access: endAccess(ctx, { userId: user.id, except: session.id, when: isFirst }),
      codes: storeCodes(ctx, user.id, codes, isOurs),
      stored: unusedOf(ctx, user.id, codes),
    },
  }
}

interface Removed {
  /** The name as it reads in "… removed". */
  factor: string
  table: SQLiteTable
  /** In SQL, whether a row is the factor. */
  isThis: SQL | undefined
}

/** Removes a factor of the caller; recovery codes go with the last one. NOT_FOUND when there is none. */
export async function removeFactor(
  ctx: Context,
  claims: Claims,
  { factor, table, isThis }: Removed,
) {
  const account = await readConfirmed(ctx, claims)
  const own = account.user.id
  const { statements } = await report(ctx, account, { kind: 'factor_removed', factor })
  const { removed } = await ctx.db.batch({
    removed: ctx.db.delete(table).where(and(isThis, isOpenSession({ ...claims, now: ctx.now }))),
    report: statements,
    codes: ctx.db
      .delete(recoveryCodes)
      .where(and(eq(recoveryCodes.userId, own), sql`NOT ${hasFactor(own)}`)),
  })
  if (removed.rowsAffected === 0) throw new ApiError('NOT_FOUND', SERVER.notFound)
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { success: true, message: FACTOR.removed } as const
}
