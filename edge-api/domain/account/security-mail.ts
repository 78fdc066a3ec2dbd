import { type SQL, sql } from 'drizzle-orm'
import { previousChangedOne } from '../../db/previous-statement.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { enqueueMailFrom, type NewMailFrom } from '../mail/outbox.ts'
import type { MailKind } from '../mail/render.ts'
import { countOne, type DailyCount, isBelowLimit, unprovenMails } from './daily-count.ts'
import { type MailedLink, newMailedLink, storeLinkFrom } from './mailed-link.ts'

/** The mails that tell of a change to the ways into an account. Each has a link that says "This was not me". */
export const SECURITY_MAILS = [
  'password_changed',
  'new_device',
  'factor_changed',
  'mails_changed',
  'device_approved',
  'google_connected',
] as const satisfies readonly MailKind[]

/** The link of a security mail, and what counts the mails of today to its address. */
export interface SecurityLink extends MailedLink {
  count: DailyCount
}

/** Makes the link of a security mail to `address`, by which its reader can say "This was not me". */
export async function newSecurityLink(
  ctx: Context,
  address: string,
  purpose: 'not_me' | 'not_my_factor' = 'not_me',
): Promise<SecurityLink> {
  const link = await newMailedLink(ctx, purpose)
  return { ...link, count: await unprovenMails(ctx, address) }
}

/**
 * The statements of a mail whose payload has the secret of `link`. They run for each row of `source`, a FROM and WHERE or
 * a WHERE alone, which names one account or none. An address that is not proven may be a stranger's: it gets as many mails
 * a day as any other from us.
 */
export function enqueueSecurityMail<Kind extends (typeof SECURITY_MAILS)[number]>(
  ctx: Context,
  {
    link,
    source,
    userId,
    ...mail
  }: NewMailFrom<Kind> & { link: SecurityLink; source: SQL; userId: string },
) {
  const owner = sql`FROM ${users} WHERE ${users.id} = ${userId}`
  const isProven = sql`EXISTS (
    SELECT 1 FROM ${users} p WHERE p.id = ${userId} AND p.email_verified_at IS NOT NULL)`
  const mayMail = sql`(${isProven} OR ${isBelowLimit(link.count)})`
  return [
    enqueueMailFrom(ctx, { ...mail, userId }, sql`${source} AND ${mayMail}`),
    storeLinkFrom(ctx, link, sql`${owner} AND ${previousChangedOne}`),
    countOne(ctx, link.count, sql`${owner} AND ${previousChangedOne} AND NOT ${isProven}`),
  ] as const
}
