import { type SQL, sql } from 'drizzle-orm'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { enqueueMailFrom, type NewMailFrom } from '../mail/outbox.ts'
import type { MailKind } from '../mail/render.ts'
import { type MailedLink, storeLinkFrom } from './mailed-link.ts'

/**
 * The statements of a mail whose payload has the secret of `link`, by which its reader can say "This was not me". Both
 * run for each row of `source`, a FROM and WHERE or a WHERE alone, which names one account or none.
 */
export function enqueueSecurityMail<Kind extends MailKind>(
  ctx: Context,
  {
    link,
    source,
    userId,
    ...mail
  }: NewMailFrom<Kind> & { link: MailedLink; source: SQL; userId: string },
) {
  return [
    enqueueMailFrom(ctx, { ...mail, userId }, source),
    storeLinkFrom(ctx, link, sql`FROM ${users} WHERE ${users.id} = ${userId} AND changes() = 1`),
  ] as const
}
