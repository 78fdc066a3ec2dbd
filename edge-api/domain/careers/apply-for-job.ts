import { sql } from 'drizzle-orm'
import type { applyEndpoint } from '../../../src/contract/careers.ts'
import { CAREERS } from '../../../src/contract/messages.ts'
import { jobApplications } from '../../db/schema/records.ts'
import { acknowledge } from '../mail/acknowledge.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { Refusal } from '../refusal.ts'
import type { PublicHandler } from '../handler.ts'

/** Stores an application and mails the applicant and the team, in one batch. Links are stored, never fetched. */
export const applyForJob: PublicHandler<typeof applyEndpoint> = async (ctx, { body }) => {
  const application = { id: ctx.newId('app'), ...body, createdAt: ctx.now }
  const { email, jobId } = body
  const number = sql`${jobApplications.number}`
  const { stored } = await ctx.db.batch({
    stored: ctx.db
      .insert(jobApplications)
      .values(application)
      .returning({ number: jobApplications.number }),
    ...(await acknowledge(ctx, {
      table: jobApplications,
      id: application.id,
      toSender: { kind: 'application_received', payload: { number, jobId }, to: email },
      toTeam: {
        kind: 'application_for_team',
        payload: { number, application: body },
        to: ctx.brand.careersEmail,
      },
    })),
  })
  const [found] = stored
  if (found === undefined) throw new Refusal('INTERNAL', CAREERS.failed)
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { success: true, message: CAREERS.success, applicationNumber: `A-${found.number}` }
}
