import { type SQL, sql } from 'drizzle-orm'
import { sessions } from '../../db/schema/sessions.ts'
import type { Context } from '../context.ts'
import { newDeviceMessage } from '../mail/account-messages.ts'
import { enqueueMail } from '../mail/outbox.ts'

/**
 * How often the account of a row of `users` was signed in on a device of this name. The column is
 * spelt out: drizzle drops the table's name where it selects from one, and inside here that is another.
 */
export function knownDevices(device: string | SQL) {
  return sql<number>`(
    SELECT count(*) FROM ${sessions} s WHERE s.user_id = users.id AND s.device = ${device}
  )`
}

/** The mail about a device that was not seen before. */
export function tellOwner(ctx: Context, user: { id: string; email: string }, device: string) {
  const message = newDeviceMessage(ctx.brand, ctx.origin, device)
  return enqueueMail(ctx, message, { to: user.email, userId: user.id })
}
