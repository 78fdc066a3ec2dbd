import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { accountEvents } from '../../db/schema/records.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { enqueueMailFrom } from '../mail/outbox.ts'
import type { Identity } from '../ports/identity.ts'
import type { KeepPass } from '../session/sign-in-pass.ts'
import { accountEventRow } from './account-event.ts'

interface Joining {
  owner: { id: string; email: string }
  identity: Identity
  keep: KeepPass
}

/**
 * Connects a Google account to the account with its address and tells the owner. False when the account
 * was deleted or connected elsewhere meanwhile.
 */
export async function connectGoogle(ctx: Context, joining: Joining): Promise<boolean> {
  const { owner, identity, keep } = joining
  const detail = { email: identity.email }
  const event = accountEventRow(ctx, { userId: owner.id, kind: 'google_connected', detail })
  const { kept } = await ctx.db.batch({
    connected: ctx.db
      .update(users)
      .set({ googleSubject: identity.subject, updatedAt: ctx.now })
      .where(
        and(
          eq(users.id, owner.id),
          isNull(users.googleSubject),
          isNotNull(users.emailVerifiedAt),
          isNull(users.deletedAt),
        ),
      ),
    event: ctx.db.run(sql`
      INSERT INTO ${accountEvents} (id, user_id, kind, detail, device, ip_prefix, created_at)
      SELECT ${event.id}, ${owner.id}, ${event.kind}, ${event.detail}, ${event.device},
             ${event.ipPrefix}, ${ctx.now}
      WHERE changes() = 1`),
    mail: enqueueMailFrom(
      ctx,
      { kind: 'google_connected', payload: {}, to: owner.email, userId: owner.id },
      sql`WHERE EXISTS (SELECT 1 FROM ${accountEvents} e WHERE e.id = ${event.id})`,
    ),
    kept: keep,
  })
  ctx.waitUntil(() => deliverDueMail(ctx))
  return kept.rowsAffected === 1
}
