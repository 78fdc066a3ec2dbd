import { eq } from 'drizzle-orm'
import type { applyEndpoint } from '../../../src/contract/careers.ts'
import { CAREERS } from '../../../src/contract/messages.ts'
import { jobApplications } from '../../db/schema/records.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { insertNumberedMail, NUMBER } from '../mail/numbered-mail.ts'
import { mailRow } from '../mail/outbox.ts'
import { applicationForTeamMessage, applicationReceivedMessage } from '../mail/ticket-messages.ts'
import { Refusal } from '../refusal.ts'
import type { PublicVerb } from '../verb.ts'

/** Keeps an application, acknowledges it and tells the team: one batch. Links are kept, never fetched. */
export const applyForJob: PublicVerb<typeof applyEndpoint> = async (ctx, { body }) => {
  const application = { id: ctx.newId('app'), ...body, createdAt: ctx.now }
  const toApplicant = mailRow(ctx, applicationReceivedMessage(ctx.brand, body.jobId, NUMBER), {
    to: body.email,
    userId: null,
  })
  const toTeam = mailRow(ctx, applicationForTeamMessage(body, NUMBER), {
    to: ctx.brand.careersEmail,
    userId: null,
  })
  const numbered = { table: jobApplications, id: application.id, prefix: 'A-' } as const
  const [, , , rows] = await ctx.db.batch([
    ctx.db.insert(jobApplications).values(application),
    ctx.db.run(insertNumberedMail(toApplicant, { ...numbered, recipient: 'sender' })),
    ctx.db.run(insertNumberedMail(toTeam, { ...numbered, recipient: 'team' })),
    ctx.db
      .select({ number: jobApplications.number })
      .from(jobApplications)
      .where(eq(jobApplications.id, application.id)),
  ])
  const [stored] = rows
  if (stored === undefined) throw new Refusal('INTERNAL', CAREERS.failed)
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { success: true, message: CAREERS.success, applicationNumber: `A-${stored.number}` }
}
