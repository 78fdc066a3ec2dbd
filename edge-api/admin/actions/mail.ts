import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { z } from '../../../src/contract/zod.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { adminLog } from '../../db/schema/admin.ts'
import { mails } from '../../db/schema/records.ts'
import { requireRow } from '../../domain/api-error.ts'
import { minutes } from '../../domain/time.ts'
import { defineAccountAction, inOneBatch, reject } from './action.ts'

/**
 * Sends a mail of an account again: at once if it waits, otherwise as a copy. The secret in a link was wiped when the
 * mail was sent, so such a mail is rejected.
 */
export const resendMail = defineAccountAction({
  kind: 'resend_mail',
  label: 'Send again',
  input: z.object({ mail: z.string().max(120) }),
  plan: async (ctx, { id: userId, email }, { mail: mailId }) => {
    const isThis = and(eq(mails.id, mailId), eq(mails.userId, userId))
    const isWiped = sql<number>`coalesce(json_type(${mails.payload}, '$.secret') = 'null', 0)`
    const wasJustSent = sql`EXISTS (
      SELECT 1 FROM ${adminLog} a
      WHERE a.user_id = ${userId} AND a.kind = 'resend_mail' AND a.subject = ${mailId}
        AND a.created_at > ${ctx.now - minutes(1)})`
    const [found] = await ctx.db.batch([
      ctx.db.select({ mail: mails, isWiped }).from(mails).where(isThis),
    ])
    const row = requireRow(found, 'NOT_FOUND', 'The account has no such email.')
    if (row.isWiped === 1) {
      throw reject(
        'The link in this email was removed when it was sent or given up. Ask the customer to request a new one.',
      )
    }
    const { kind, toAddress, dueAt } = row.mail
    const isWaiting = dueAt !== null
    // The log is permanent, so it names no address.
    const whose =
      toAddress === email ? 'the account’s address' : 'another address than the account’s'
    const same = { kind: sql`kind`, toAddress: sql`to_address`, payload: sql`payload` }
    const copy = { ...same, id: ctx.newId('mail'), userId, createdAt: ctx.now, dueAt: ctx.now }
    return {
      changes: [
        `The email "${kind.replaceAll('_', ' ')}" to ${whose} is sent ${isWaiting ? 'now' : 'again'}.`,
      ],
      notification: 'The customer gets this email and nothing else.',
      subject: mailId,
      // One of several clicks within a minute counts.
      execute: inOneBatch(ctx, sql`NOT ${wasJustSent}`, (isWritten) => {
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
  },
})
