import type { Context } from '../domain/context.ts'
import { announceTerms } from '../domain/profile/announce-terms.ts'
import { postAlerts } from '../domain/alert/post-alerts.ts'
import { deliverDueMail } from '../domain/mail/deliver-mail.ts'
import { purgeExpired } from '../domain/data-rights/purge-expired.ts'
import { remindPlanEnding } from '../domain/subscription/remind-plan-ending.ts'
import { days, hours, minutes, seconds } from '../domain/time.ts'
import { auditPayments } from '../domain/purchase/audit-payments.ts'
import { sendPendingRefunds } from '../domain/purchase/send-pending-refunds.ts'
import { reconcilePurchases } from '../domain/purchase/reconcile.ts'
import { notifyOfRefunds } from '../domain/purchase/notify-of-refunds.ts'
import { alertOfSilence, retryWebhooks } from '../domain/purchase/webhook-jobs.ts'
import { mailYesterday } from '../domain/report/mail-yesterday.ts'

/** The next minute's run continues. */
const MAIL_RUN_MS = seconds(50)
/** Cloudflare ends a run after 15 minutes. */
const DAILY_RUN_MS = minutes(12)
/** What the audit has at least, however long the jobs before it take. */
const AUDIT_RUN_MS = minutes(2)

type Job = (ctx: Context) => Promise<void>

/** Posts alerts, sends due mail and settles open payments. Each run without a failed job sends a monitor its heartbeat. */
export async function runEveryMinute(ctx: Context): Promise<void> {
  const isWell = await runAll(ctx, {
    postAlerts,
    deliverDueMail: () => deliverDueMail(ctx, { runMs: MAIL_RUN_MS }),
    // Last: it takes minutes while Razorpay accepts calls and answers none.
    settleOpenPurchases,
  })
  if (isWell) await heartbeat(ctx)
}

/**
 * Reminds users of plans that end soon, announces new terms, mails the owner the daily report, deletes expired rows,
 * audits payments.
 */
export async function runDaily(ctx: Context): Promise<void> {
  const endsAt = ctx.clock() + DAILY_RUN_MS
  await runAll(ctx, {
    remindPlanEnding: () => remindPlanEnding(ctx, endsAt),
    announceTerms: () => announceTerms(ctx, endsAt),
    mailYesterday,
    purgeExpired: () => purgeExpired(ctx, endsAt),
    // Last: it asks Razorpay several times about each payment that it cannot account for.
    auditPurchases: () => auditPurchases(ctx, endsAt + AUDIT_RUN_MS),
  })
}

/** A monitor that hears nothing raises the alarm itself, so its silence needs no alert. */
async function heartbeat({ alertWebhook, log }: Context): Promise<void> {
  try {
    await alertWebhook.heartbeat?.()
  } catch (error) {
    log.warn('the heartbeat was not taken', { reason: error instanceof Error ? error.message : '' })
  }
}

/** Raises an alert for a job that fails, and runs the others. Returns whether none failed. */
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

/** Two days, so that the next audit makes up for one that failed. */
const AUDIT_SPAN_MS = hours(48)
/** Grants of these ages are compared again, so a daily run needs few lists and misses no grant for more than a month. */
const AUDIT_AGES_MS = [30, 60, 90, 120, 150, 180].map(days)

/**
 * Every minute: finishes what webhooks and browsers left open. Runs may overlap, because each claims the rows that it
 * works on.
 */
export async function settleOpenPurchases(ctx: Context): Promise<void> {
  if (ctx.payments.keyId === '') return
  await retryWebhooks(ctx)
  await reconcilePurchases(ctx)
  await sendPendingRefunds(ctx)
  await notifyOfRefunds(ctx)
}

/**
 * Once a day: compares what Razorpay lists with ours.
 *
 * @param endsAt when to stop, in milliseconds UTC; an alert says that it did
 */
export async function auditPurchases(ctx: Context, endsAt = Infinity): Promise<void> {
  if (ctx.payments.keyId === '') return
  await alertOfSilence(ctx)
  const since = ctx.now - AUDIT_SPAN_MS
  const older = AUDIT_AGES_MS.map((age) => ({ from: since - age, to: ctx.now - age }))
  await auditPayments(ctx, { since, older, endsAt })
}
