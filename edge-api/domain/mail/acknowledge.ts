import { sql } from 'drizzle-orm'
import { canonicalAddress } from '../account/address.ts'
import { countOne, dailyCount, isWithinLimit } from '../account/daily-count.ts'
import type { Submissions } from '../account/written-from.ts'
import type { Context } from '../context.ts'
import { enqueueMailFrom, type NewMailFrom } from './outbox.ts'
import type { MailKind } from './render.ts'
import { submissionMailIds } from './submission-mails.ts'

type MailTo<Kind extends MailKind> = Pick<NewMailFrom<Kind>, 'kind' | 'payload'> & { to: string }

interface Received<ToSender extends MailKind, ToTeam extends MailKind> {
  table: Submissions
  id: string
  toSender: MailTo<ToSender>
  toTeam: MailTo<ToTeam>
}

/**
 * The statements that mail a submission's sender and the team, for the batch that stores it. An address that was mailed
 * often today gets no mail. After many from one network today nobody does: strangers must not use up the day's mails.
 */
export async function acknowledge<ToSender extends MailKind, ToTeam extends MailKind>(
  ctx: Context,
  { table, id, toSender, toTeam }: Received<ToSender, ToTeam>,
) {
  const ids = submissionMailIds(table.id)
  const ofAddress = await dailyCount(ctx, 'acknowledgement', canonicalAddress(toSender.to))
  const ofNetwork = await dailyCount(ctx, 'submission', ctx.visitor.ipPrefix)
  const mayMail = sql`FROM ${table} WHERE ${table.id} = ${id} AND ${isWithinLimit(ofNetwork)}`
  return {
    counted: [countOne(ctx, ofAddress), countOne(ctx, ofNetwork)],
    mailToSender: enqueueMailFrom(
      ctx,
      { ...toSender, id: ids.toSender, userId: null },
      sql`${mayMail} AND ${isWithinLimit(ofAddress)}`,
    ),
    mailToTeam: enqueueMailFrom(ctx, { ...toTeam, id: ids.toTeam, userId: null }, mayMail),
  }
}
