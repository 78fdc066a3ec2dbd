import { and, asc, inArray, isNotNull, isNull, lt, lte, or } from 'drizzle-orm'
import { alerts } from '../../db/schema/admin.ts'
import type { Context } from '../context.ts'

/** The most alerts in one message; the rest follows in the next minute. */
const MESSAGE_ALERTS = 10

type AlertRow = typeof alerts.$inferSelect

/**
 * Posts the open alerts to the team's chat, each as often as it is mailed. If the chat rejects a message, the next run
 * posts it again; a run that died in between posts twice. Without a configured chat it does nothing.
 */
export async function postAlerts(ctx: Context): Promise<void> {
  const { post } = ctx.alertWebhook
  if (post === null) return
  const now = ctx.clock()
  const { due } = await ctx.db.batch({ due: dueAlerts(ctx, now) })
  if (due.length === 0) return
  try {
    await post(messageOf(ctx, due))
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown'
    ctx.log.alert('the alarm webhook takes nothing', { reason, alerts: due.length })
    return
  }
  const ids = due.map(({ id }) => id)
  const isStanding = and(inArray(alerts.id, ids), isNull(alerts.acknowledgedAt))
  await ctx.db.batch([ctx.db.update(alerts).set({ postedAt: now }).where(isStanding)])
}

function dueAlerts({ db }: Context, now: number) {
  const isUnposted = or(isNull(alerts.postedAt), lt(alerts.postedAt, alerts.mailedAt))
  return db
    .select()
    .from(alerts)
    .where(
      and(
        isNull(alerts.acknowledgedAt),
        lte(alerts.firstSeenAt, now),
        isNotNull(alerts.mailedAt),
        isUnposted,
      ),
    )
    .orderBy(asc(alerts.firstSeenAt))
    .limit(MESSAGE_ALERTS)
}

/** Without the fields: a stranger's text could mention everybody in the chat. */
function messageOf({ brand, adminOrigin }: Context, due: readonly AlertRow[]): string {
  const lines = due.map(({ kind, count }) => `• ${kind}${count === 1 ? '' : ` (${count} times)`}`)
  return [`${brand.productName} raises an alert:`, ...lines, `${adminOrigin}/admin`].join('\n')
}
