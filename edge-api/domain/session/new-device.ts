import { type SQL, sql } from 'drizzle-orm'
import { sessions } from '../../db/schema/sessions.ts'
import type { Context } from '../context.ts'
import { enqueueMailFrom } from '../mail/outbox.ts'
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
  const { device, userId } = session
  return enqueueMailFrom(
    ctx,
    { kind: 'new_device', payload: { device }, to: email, userId },
    sql`FROM ${sessions} WHERE ${sessions.id} = ${session.id}`,
  )
}
