import type { Context } from '../domain/context.ts'
import { announceTerms } from '../domain/account/announce-terms.ts'
import { postAlarms } from '../domain/alarm/post-alarms.ts'
import { mailYesterday } from '../domain/desk/mail-yesterday.ts'
import { deliverDueMail } from '../domain/mail/deliver-mail.ts'
import { purgeExpired } from '../domain/account/purge-expired.ts'
import { remindPlanEnding } from '../domain/account/remind-plan-ending.ts'
import { seconds } from '../domain/time.ts'
import { auditPurchases, settleOpenPurchases } from './reconcile-purchases.ts'

/** The next minute's run continues. */
const MAIL_RUN_MS = seconds(50)

type Job = (ctx: Context) => Promise<void>

/** Settles open payments, sends due mail and tells of alarms. A monitor hears of each run in which no job failed. */
export async function runEveryMinute(ctx: Context): Promise<void> {
  const isWell = await runAll(ctx, {
    settleOpenPurchases,
    postAlarms,
    deliverDueMail: () => deliverDueMail(ctx, { runMs: MAIL_RUN_MS }),
  })
  if (isWell) await heartbeat(ctx)
}

/** Audits payments, reminds of plans that end soon, tells of new terms, mails operators the day, deletes expired rows. */
export async function runDaily(ctx: Context): Promise<void> {
  await runAll(ctx, {
    auditPurchases,
    remindPlanEnding,
    announceTerms,
    mailYesterday,
    purgeExpired,
  })
}

/** A monitor that hears nothing raises the alarm itself, so its silence needs no alert. */
async function heartbeat({ pager, log }: Context): Promise<void> {
  try {
    await pager.heartbeat?.()
  } catch (error) {
    log.warn('the heartbeat was not taken', { reason: error instanceof Error ? error.message : '' })
  }
}

/** Alerts of a job that fails and runs the others. Returns whether none failed. */
async function runAll(ctx: Context, jobs: Record<string, Job>): Promise<boolean> {
  let isWell = true
  for (const [name, job] of Object.entries(jobs)) {
    try {
      await job(ctx)
    } catch (error) {
      ctx.log.error('the error of a job', error, { job: name })
      ctx.log.alert('job failed', { job: name })
      isWell = false
    }
  }
  return isWell
}
