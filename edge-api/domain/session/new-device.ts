import { type SQL, sql } from 'drizzle-orm'
import { mails } from '../../db/schema/records.ts'
import { sessions } from '../../db/schema/sessions.ts'
import type { Context } from '../context.ts'
import { newDeviceMessage } from '../mail/account-messages.ts'
import { mailRow } from '../mail/outbox.ts'
import type { NewSession } from './open-session.ts'

/**
 * How often the account of a row of `users` was signed in on a device of this name. The column is
 * spelt out: drizzle drops the table's name where it selects from one, and inside here that is another.
 */
export function knownDevices(device: string | SQL) {
  return sql<number>`(
    SELECT count(*) FROM ${sessions} s WHERE s.user_id = users.id AND s.device = ${device}
  )`
}

/** The mail about a device that was not seen before; none where the batch before it opened no session. */
export function tellOwner(ctx: Context, { email }: { email: string }, session: NewSession) {
  const message = newDeviceMessage(ctx.brand, ctx.origin, session.device)
  const mail = mailRow(ctx, message, { to: email, userId: session.userId })
  return ctx.db.run(sql`
    INSERT INTO ${mails} (id, user_id, kind, to_address, subject, text, html, has_secret, created_at, due_at)
    SELECT ${mail.id}, s.user_id, ${mail.kind}, ${mail.toAddress}, ${mail.subject}, ${mail.text},
           ${mail.html}, 0, ${mail.createdAt}, ${mail.dueAt}
    FROM ${sessions} s WHERE s.id = ${session.id}
  `)
}
