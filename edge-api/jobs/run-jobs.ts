import type { Context } from '../domain/context.ts'
import { deliverDueMail } from '../domain/mail/deliver-mail.ts'
import { purgeExpired } from '../domain/account/purge-expired.ts'
import { remindPlanEnding } from '../domain/account/remind-plan-ending.ts'
import { auditPurchases, settleOpenPurchases } from './reconcile-purchases.ts'

type Job = (ctx: Context) => Promise<void>

/** Send due mail, settle open payments. */
export async function runEveryMinute(ctx: Context): Promise<void> {
  await runAll(ctx, { settleOpenPurchases, deliverDueMail })
}

/** Remind of plans that end soon, throw away what has expired. */
export async function runDaily(ctx: Context): Promise<void> {
  await runAll(ctx, { auditPurchases, remindPlanEnding, purgeExpired })
}

/** A job that fails is told to the operator and does not keep the others from running. */
async function runAll(ctx: Context, jobs: Record<string, Job>): Promise<void> {
  for (const [name, job] of Object.entries(jobs)) {
    try {
      await job(ctx)
    } catch (error) {
      ctx.log.error('job failed', error, { job: name })
    }
  }
}
