import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { DESK_ACT } from '../../../../src/contract/desk-acts.ts'
import { insertFrom } from '../../../db/insert-from.ts'
import { deskActs } from '../../../db/schema/desk.ts'
import { mails } from '../../../db/schema/records.ts'
import type { Context } from '../../context.ts'
import { requireRow } from '../../refusal.ts'
import { minutes } from '../../time.ts'
import {
  type ActOf,
  inOneBatch,
  requireTarget,
  targetQuery,
  type PlannedAct,
  refuse,
} from '../planned-act.ts'

type About = ActOf<'resend_mail'>

/**
 * Sends a mail of an account again: at once if it waits, otherwise as a copy. The secret in a link was wiped when the
 * mail was sent, so such a mail is refused.
 */
export async function planResendMail(ctx: Context, { userId, mailId }: About): Promise<PlannedAct> {
  const isThis = and(eq(mails.id, mailId), eq(mails.userId, userId))
  const isWiped = sql<number>`coalesce(json_type(${mails.payload}, '$.secret') = 'null', 0)`
  const wasJustSent = sql`EXISTS (
    SELECT 1 FROM ${deskActs} a
    WHERE a.user_id = ${userId} AND a.kind = 'resend_mail' AND a.subject = ${mailId}
      AND a.created_at > ${ctx.now - minutes(1)})`
  const { targets, found } = await ctx.db.batch({
    targets: targetQuery(ctx, userId),
    found: ctx.db.select({ mail: mails, isWiped }).from(mails).where(isThis),
  })
  const { email } = requireTarget(targets)
  const row = requireRow(found, 'NOT_FOUND', DESK_ACT.noMail)
  if (row.isWiped === 1) throw refuse(DESK_ACT.isWiped)
  const { kind, toAddress, dueAt } = row.mail
  const isWaiting = dueAt !== null
  // The entry is permanent, so it names no address.
  const whose = toAddress === email ? 'the account’s address' : 'another address than the account’s'
  const copy = {
    id: ctx.newId('mail'),
    userId: sql`user_id`,
    kind: sql`kind`,
    toAddress: sql`to_address`,
    payload: sql`payload`,
    createdAt: ctx.now,
    dueAt: ctx.now,
  }
  return {
    changes: [
      `The email "${kind.replaceAll('_', ' ')}" to ${whose} is sent ${isWaiting ? 'now' : 'again'}.`,
    ],
    subject: mailId,
    // One of several clicks within a minute counts.
    carryOut: inOneBatch(ctx, sql`NOT ${wasJustSent}`, (isWritten) => {
      const isOurs = and(isThis, isWritten)
      return {
        sent: isWaiting
          ? ctx.db
              .update(mails)
              .set({ dueAt: ctx.now })
              .where(and(isOurs, isNotNull(mails.dueAt)))
          : ctx.db.run(insertFrom(mails, copy, sql`FROM ${mails} WHERE ${isOurs}`)),
      }
    }),
  }
}
