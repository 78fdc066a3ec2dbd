import { sql } from 'drizzle-orm'
import { accountEvents } from '../../db/schema/records.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { accountEventRow } from '../account/account-event.ts'
import type { Context } from '../context.ts'
import type { NewSession } from './open-session.ts'

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
