import { sql } from 'drizzle-orm'
import type { mailDownloadEndpoint } from '../../../src/contract/app.ts'
import { DOWNLOAD } from '../../../src/contract/messages.ts'
import { accountQuery, requireSignedIn } from '../session/account-query.ts'
import { countOne, dailyCounter, isWithinLimit, rejectToday } from '../account/daily-limit.ts'
import { isOpenSession } from '../session/session.ts'
import type { SessionHandler } from '../handler.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { enqueueMailFrom } from '../mail/outbox.ts'
import { ApiError } from '../api-error.ts'

/**
 * Mails the link to the downloads to the caller's own verified address. NOTHING_TO_CHANGE without one, RATE_LIMITED after the
 * mails of a day.
 */
export const mailDownload: SessionHandler<typeof mailDownloadEndpoint> = async (
  ctx,
  { claims },
) => {
  const { accounts } = await ctx.db.batch({ accounts: accountQuery(ctx, claims) })
  const { user } = requireSignedIn(accounts)
  if (user.emailVerifiedAt === null) throw new ApiError('NOTHING_TO_CHANGE', DOWNLOAD.unverified)
  const count = await dailyCounter(ctx, 'download', user.id)
  const { mail } = await ctx.db.batch({
    counted: countOne(ctx, count),
    mail: enqueueMailFrom(
      ctx,
      { kind: 'download_link', payload: {}, to: user.email, userId: user.id },
      sql`WHERE ${isWithinLimit(count)} AND ${isOpenSession({ ...claims, now: ctx.now })}`,
    ),
  })
  if (mail.length === 0) throw rejectToday(ctx)
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { success: true, message: DOWNLOAD.mailed }
}
