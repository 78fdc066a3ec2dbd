import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Act, DESK } from '../../../../src/contract/desk.ts'
import { alarms } from '../../../db/schema/desk.ts'
import type { Operator } from '../../account/require-operator.ts'
import type { Context } from '../../context.ts'
import { Refusal } from '../../refusal.ts'
import { hasChanged, type Plan } from './plan.ts'

type About = Extract<Act, { kind: 'acknowledge_alarm' }>

/** Takes an alarm off the desk. The next alert of its kind raises another. */
export async function planAcknowledgeAlarm(
  ctx: Context,
  { alarmId }: About,
  operator: Operator,
): Promise<Plan> {
  const isStanding = and(eq(alarms.id, alarmId), isNull(alarms.acknowledgedAt))
  const { found } = await ctx.db.batch({ found: ctx.db.select().from(alarms).where(isStanding) })
  const [alarm] = found
  if (alarm === undefined) throw new Refusal('NOT_FOUND', DESK.noAlarm)
  return {
    changes: [
      `The alarm "${alarm.kind}" leaves the desk. It was raised ${alarm.count === 1 ? 'once' : `${alarm.count} times`}.`,
      'The next alert of its kind raises it again.',
    ],
    subject: alarmId,
    carryOut: async ({ write, isWritten }) => {
      const { written } = await ctx.db.batch({
        written: write(sql`EXISTS (SELECT 1 FROM ${alarms} WHERE ${isStanding})`),
        acknowledged: ctx.db
          .update(alarms)
          .set({ acknowledgedAt: ctx.now, acknowledgedBy: operator.id })
          .where(and(isStanding, isWritten)),
      })
      if (written.length === 0) throw hasChanged()
    },
  }
}
