import { sql, type SQL } from 'drizzle-orm'
import { accountEvents } from '../../db/schema/records.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { accountEventRow } from '../account/account-event.ts'
import type { NewSession } from '../account/open-session.ts'
import type { Context } from '../context.ts'
import { enqueueMailFrom } from '../mail/outbox.ts'

/** The statement that writes a sign-in into the history; nothing where the batch before it opened no session. */
export function recordSignIn(
  ctx: Context,
  { id, userId, device }: NewSession,
  kind: 'signed_in' | 'signed_in_new_device',
) {
  const event = accountEventRow(ctx, { userId, kind, device })
  return ctx.db.run(sql`
    INSERT INTO ${accountEvents} (id, user_id, kind, detail, device, ip_prefix, created_at)
    SELECT ${event.id}, s.user_id, ${event.kind}, ${event.detail}, ${event.device},
           ${event.ipPrefix}, ${event.createdAt}
    FROM ${sessions} s WHERE s.id = ${id}
  `)
}

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
  const { device, userId } = session
  return enqueueMailFrom(
    ctx,
    { kind: 'new_device', payload: { device }, to: email, userId },
    sql`FROM ${sessions} WHERE ${sessions.id} = ${session.id}`,
  )
}
