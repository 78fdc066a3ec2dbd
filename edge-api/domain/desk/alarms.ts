import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm'
import { type Alarm, ALARMS_MAX } from '../../../src/contract/desk.ts'
import { DESK_ACT } from '../../../src/contract/desk-acts.ts'
import { EMAIL_MAX } from '../../../src/contract/limits.ts'
import { z } from '../../../src/contract/zod.ts'
import { alarms } from '../../db/schema/desk.ts'
import type { Operator } from '../account/require-operator.ts'
import type { Context } from '../context.ts'
import { ALERTS, isAlertKind, sayFields } from '../ports/alerts.ts'
import { requireRow } from '../refusal.ts'
import { toIso } from '../time.ts'
import { type ActOf, inOneBatch, type PlannedAct } from './planned-act.ts'

/** The alarms that nobody has acknowledged, oldest first, those of single payments last: there may be more than fit. */
export function alarmsQuery({ db, now }: Context) {
  return db
    .select()
    .from(alarms)
    .where(and(isNull(alarms.acknowledgedAt), lte(alarms.firstSeenAt, now)))
    .orderBy(
      sql`${alarms.kind} <> 'job failed' AND ${alarms.subject} <> ''`,
      asc(alarms.firstSeenAt),
    )
    .limit(ALARMS_MAX)
}

const Facts = z.record(z.string(), z.unknown())

/** An alarm as the desk shows it. */
export function toAlarm(row: typeof alarms.$inferSelect): Alarm {
  const { id, kind, count, firstSeenAt, lastSeenAt, fields } = row
  const facts = Facts.parse(JSON.parse(fields))
  return {
    id,
    kind,
    text: isAlertKind(kind) ? ALERTS[kind] : 'An older version of the code raised it.',
    count,
    firstAt: toIso(firstSeenAt),
    lastAt: toIso(lastSeenAt),
    facts: sayFields(facts)
      .map(([name, value]) => `${name}: ${value}`.slice(0, 400))
      .slice(0, 20),
    ids: Object.values(facts)
      .flatMap((value) => (isId(value) ? [value] : []))
      .slice(0, 20),
  }
}

/** Whether `find` knows it. */
function isId(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= EMAIL_MAX &&
    /^(?:(?:usr|pur|order|pay|plink|rfnd|disp|mail)_\w+|mails?-\S+|[a-z][\w-]*:[\w.:-]+)$/.test(
      value,
    )
  )
}

/** Takes an alarm off the desk. The next alert of its kind raises another. */
export async function planAcknowledgeAlarm(
  ctx: Context,
  { alarmId }: ActOf<'acknowledge_alarm'>,
  operator: Operator,
): Promise<PlannedAct> {
  const isOpen = and(eq(alarms.id, alarmId), isNull(alarms.acknowledgedAt))
  const { found } = await ctx.db.batch({ found: ctx.db.select().from(alarms).where(isOpen) })
  const alarm = requireRow(found, 'NOT_FOUND', DESK_ACT.noAlarm)
  return {
    changes: [
      // Without its count, which may grow while the operator reads.
      `The alarm "${alarm.kind}" leaves the desk.`,
      'The next alert of its kind raises it again.',
    ],
    subject: alarmId,
    carryOut: inOneBatch(
      ctx,
      sql`EXISTS (SELECT 1 FROM ${alarms} WHERE ${isOpen})`,
      (isWritten) => ({
        acknowledged: ctx.db
          .update(alarms)
          .set({ acknowledgedAt: ctx.now, acknowledgedBy: operator.id })
          .where(and(isOpen, isWritten)),
      }),
    ),
  }
}
