import { sql } from 'drizzle-orm'
import { AUTH } from '../../../src/contract/messages.ts'
import type { forgotPasswordEndpoint } from '../../../src/contract/credential.ts'
import { users } from '../../db/schema/users.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { enqueueMailFrom } from '../mail/outbox.ts'
import type { PublicVerb } from '../verb.ts'
import { recordEventFrom } from './account-event.ts'
import { accountKey } from './account-key.ts'
import { newMailedLink, storeLinkFrom } from './mailed-link.ts'

/**
 * Mails a reset link. Known and unknown addresses get the same answer in the same time: the same statements run, and
 * for an unknown address they insert nothing.
 */
export const forgotPassword: PublicVerb<typeof forgotPasswordEndpoint> = async (ctx, { body }) => {
  const link = await newMailedLink(ctx, 'reset')
  const owner = sql`FROM ${users} WHERE ${users.emailKey} = ${accountKey(body.email)} AND ${users.deletedAt} IS NULL`
  await ctx.db.batch([
    storeLinkFrom(ctx, link, owner),
    enqueueMailFrom(
      ctx,
      {
        kind: 'reset_password',
        payload: { secret: link.secret },
        to: sql`${users.email}`,
        userId: sql`${users.id}`,
      },
      owner,
    ),
    recordEventFrom(ctx, { userId: sql`${users.id}`, kind: 'password_reset_requested' }, owner),
  ])
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { success: true, message: AUTH.resetAccepted }
}
