import { eq, sql } from 'drizzle-orm'
import type { applyEndpoint } from '../../../src/contract/careers.ts'
import { CAREERS } from '../../../src/contract/messages.ts'
import { jobApplications } from '../../db/schema/records.ts'
import { canonicalAddress } from '../account/address.ts'
import { countOne, dailyCount, isWithinLimit } from '../account/daily-count.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { enqueueMailFrom } from '../mail/outbox.ts'
import { submissionMailIds } from '../mail/submission-mails.ts'
import { Refusal } from '../refusal.ts'
import type { PublicHandler } from '../handler.ts'

/**
 * Stores an application and mails the applicant and the team, in one batch. An address that was mailed often today gets
 * no mail. Links are stored, never fetched.
 */
export const applyForJob: PublicHandler<typeof applyEndpoint> = async (ctx, { body }) => {
  const application = { id: ctx.newId('app'), ...body, createdAt: ctx.now }
  const { email, jobId } = body
  const { toSender, toTeam } = submissionMailIds(jobApplications.id)
  const number = sql`${jobApplications.number}`
  const stored = sql`FROM ${jobApplications} WHERE ${jobApplications.id} = ${application.id}`
  const count = await dailyCount(ctx, 'acknowledgement', canonicalAddress(email))
  const { numbers } = await ctx.db.batch({
    counted: countOne(ctx, count),
    inserted: ctx.db.insert(jobApplications).values(application),
    mailToApplicant: enqueueMailFrom(
      ctx,
      {
        id: toSender,
        kind: 'application_received',
        payload: { number, jobId },
        to: email,
        userId: null,
      },
      sql`${stored} AND ${isWithinLimit(count)}`,
    ),
    mailToTeam: enqueueMailFrom(
      ctx,
      {
        id: toTeam,
        kind: 'application_for_team',
        payload: { number, application: body },
        to: ctx.brand.careersEmail,
        userId: null,
      },
      stored,
    ),
    numbers: ctx.db
      .select({ number: jobApplications.number })
      .from(jobApplications)
      .where(eq(jobApplications.id, application.id)),
  })
  const [found] = numbers
  if (found === undefined) throw new Refusal('INTERNAL', CAREERS.failed)
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { success: true, message: CAREERS.success, applicationNumber: `A-${found.number}` }
}
