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
 * no mail. After many from one network today nobody does: strangers must not use up the day's mails. Links are stored, never fetched.
 */
export const applyForJob: PublicHandler<typeof applyEndpoint> = async (ctx, { body }) => {
  const application = { id: ctx.newId('app'), ...body, createdAt: ctx.now }
  const { email, jobId } = body
  const { toSender, toTeam } = submissionMailIds(jobApplications.id)
  const number = sql`${jobApplications.number}`
  const stored = sql`FROM ${jobApplications} WHERE ${jobApplications.id} = ${application.id}`
  const ofAddress = await dailyCount(ctx, 'acknowledgement', canonicalAddress(email))
  const ofNetwork = await dailyCount(ctx, 'submission', ctx.visitor.ipPrefix)
  const mayMail = sql`${stored} AND ${isWithinLimit(ofNetwork)}`
  const { numbers } = await ctx.db.batch({
    counted: [countOne(ctx, ofAddress), countOne(ctx, ofNetwork)],
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
      sql`${mayMail} AND ${isWithinLimit(ofAddress)}`,
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
      mayMail,
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
