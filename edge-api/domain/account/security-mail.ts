import { type SQL, sql } from 'drizzle-orm'
import { previousChangedOne } from '../../db/previous-statement.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { enqueueMailFrom, type NewMailFrom } from '../mail/outbox.ts'
import type { MailKind } from '../mail/render.ts'
import { countOne, isBelowLimit, unprovenMails } from './daily-count.ts'
import { newMailedLink, storeLinkFrom } from './mailed-link.ts'

/** The mails that tell of a change to the ways into an account. Each has a link that says "This was not me". */
export const SECURITY_MAILS = [
  'password_changed',
  'new_device',
  'factor_changed',
  'mails_changed',
  'device_approved',
  'google_connected',
] as const satisfies readonly MailKind[]

interface SecurityMail<Kind extends (typeof SECURITY_MAILS)[number]> {
  kind: Kind
  /** `secret` is that of the link by which its reader can say "This was not me". */
  payload: (secret: string) => NewMailFrom<Kind>['payload']
  user: { id: string; email: string }
  /** A FROM and WHERE or a WHERE alone, of one row or none. */
  source: SQL
  purpose?: 'not_me' | 'not_my_factor'
  id?: string
}

/**
 * The statements that write a security mail and store its link, for each row of `source`. An address that is not proven may
 * be a stranger's: it gets as many mails a day as any other from us.
 */
export async function securityMail<Kind extends (typeof SECURITY_MAILS)[number]>(
  ctx: Context,
  { kind, payload, user, source, purpose = 'not_me', id }: SecurityMail<Kind>,
) {
  const link = await newMailedLink(ctx, purpose)
  const count = await unprovenMails(ctx, user.email)
  const owner = sql`FROM ${users} WHERE ${users.id} = ${user.id}`
  const isProven = sql`EXISTS (
    SELECT 1 FROM ${users} p WHERE p.id = ${user.id} AND p.email_verified_at IS NOT NULL)`
  const mail = {
    kind,
    payload: payload(link.secret),
    to: user.email,
    userId: user.id,
    ...(id === undefined ? {} : { id }),
  }
  return [
    enqueueMailFrom(ctx, mail, sql`${source} AND (${isProven} OR ${isBelowLimit(count)})`),
    storeLinkFrom(ctx, link, sql`${owner} AND ${previousChangedOne}`),
    countOne(ctx, count, sql`${owner} AND ${previousChangedOne} AND NOT ${isProven}`),
  ] as const
}
