import { and, asc, inArray, isNotNull, isNull, lt, lte, or } from 'drizzle-orm'
import { alarms } from '../../db/schema/admin.ts'
import type { Context } from '../context.ts'

/** The most alarms in one message; the rest follows in the next minute. */
const MESSAGE_ALARMS = 10

type Alarm = typeof alarms.$inferSelect

/**
 * Posts the open alarms to the team's chat, each as often as it is mailed. If the chat refuses a message, the next run
 * posts it again; a run that died in between posts twice. Without a configured chat it does nothing.
 */
export async function postAlarms(ctx: Context): Promise<void> {
  const { post } = ctx.pager
  if (post === null) return
  const now = ctx.clock()
  const { due } = await ctx.db.batch({ due: dueAlarms(ctx, now) })
  if (due.length === 0) return
  try {
    await post(messageOf(ctx, due))
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown'
    ctx.log.alert('the alarm webhook takes nothing', { reason, alarms: due.length })
    return
  }
  const ids = due.map(({ id }) => id)
  const isStanding = and(inArray(alarms.id, ids), isNull(alarms.acknowledgedAt))
  await ctx.db.batch([ctx.db.update(alarms).set({ postedAt: now }).where(isStanding)])
}

function dueAlarms({ db }: Context, now: number) {
  const isUnposted = or(isNull(alarms.postedAt), lt(alarms.postedAt, alarms.mailedAt))
  return db
    .select()
    .from(alarms)
    .where(
      and(
        isNull(alarms.acknowledgedAt),
        lte(alarms.firstSeenAt, now),
        isNotNull(alarms.mailedAt),
        isUnposted,
      ),
    )
    .orderBy(asc(alarms.firstSeenAt))
    .limit(MESSAGE_ALARMS)
}

/** Without the fields: a stranger's text could mention everybody in the chat. */
function messageOf({ brand, adminOrigin }: Context, due: readonly Alarm[]): string {
  const lines = due.map(({ kind, count }) => `• ${kind}${count === 1 ? '' : ` (${count} times)`}`)
  return [`${brand.productName} raises an alert:`, ...lines, `${adminOrigin}/admin`].join('\n')
}
