import type { Context } from '../domain/context.ts'
import { announceTerms } from '../domain/account/announce-terms.ts'
import { deliverDueMail } from '../domain/mail/deliver-mail.ts'
import { purgeExpired } from '../domain/account/purge-expired.ts'
import { remindPlanEnding } from '../domain/account/remind-plan-ending.ts'
import { seconds } from '../domain/time.ts'
import { auditPurchases, settleOpenPurchases } from './reconcile-purchases.ts'

/** The next minute's run continues. */
const MAIL_RUN_MS = seconds(50)

type Job = (ctx: Context) => Promise<void>

/** Settles open payments and sends due mail. */
export async function runEveryMinute(ctx: Context): Promise<void> {
  await runAll(ctx, {
    settleOpenPurchases,
    deliverDueMail: () => deliverDueMail(ctx, { runMs: MAIL_RUN_MS }),
  })
}

/** Audits payments, reminds of plans that end soon, tells of new terms, deletes expired rows. */
export async function runDaily(ctx: Context): Promise<void> {
  await runAll(ctx, { auditPurchases, remindPlanEnding, announceTerms, purgeExpired })
}

/** Alerts of a job that fails and runs the others. */
async function runAll(ctx: Context, jobs: Record<string, Job>): Promise<void> {
  for (const [name, job] of Object.entries(jobs)) {
    try {
      await job(ctx)
    } catch (error) {
      ctx.log.error('the error of a job', error, { job: name })
      ctx.log.alert('job failed', { job: name })
    }
  }
}
