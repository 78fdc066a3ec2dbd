import { sql } from 'drizzle-orm'
import { AUTH } from '../../../src/contract/messages.ts'
import type { forgotPasswordEndpoint } from '../../../src/contract/credential.ts'
import { mailedLinks } from '../../db/schema/sessions.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { enqueueMailFrom } from '../mail/outbox.ts'
import type { PublicVerb } from '../verb.ts'
import { accountEventRow } from './account-event.ts'
import { accountKey } from './account-key.ts'
import { newMailedLink } from './mailed-link.ts'

/**
 * Mails a reset link. Known and unknown addresses get the same answer from the same work: the same
 * statements run, and for an unknown address they insert nothing.
 */
export const forgotPassword: PublicVerb<typeof forgotPasswordEndpoint> = async (ctx, { body }) => {
  const link = await newMailedLink(ctx, 'reset')
  const event = accountEventRow(ctx, { userId: '', kind: 'password_reset_requested' })
  const owner = sql`FROM users u WHERE u.email_key = ${accountKey(body.email)} AND u.deleted_at IS NULL`
  await ctx.db.batch([
    ctx.db.run(sql`
      INSERT INTO ${mailedLinks} (secret_hash, user_id, purpose, email_key, created_at, expires_at)
      SELECT ${link.secretHash}, u.id, 'reset', u.email_key, ${ctx.now}, ${link.expiresAt} ${owner}`),
    enqueueMailFrom(
      ctx,
      {
        kind: 'reset_password',
        payload: { secret: link.secret },
        to: sql`u.email`,
        userId: sql`u.id`,
      },
      owner,
    ),
    ctx.db.run(sql`
      INSERT INTO account_events (id, user_id, kind, device, ip_prefix, created_at)
      SELECT ${event.id}, u.id, ${event.kind}, ${event.device}, ${event.ipPrefix}, ${ctx.now} ${owner}`),
  ])
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { success: true, message: AUTH.resetAccepted }
}
