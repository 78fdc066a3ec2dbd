import { and, asc, isNull, lte } from 'drizzle-orm'
import { type Alarm, ALARMS_MAX } from '../../../src/contract/desk.ts'
import { EMAIL_MAX } from '../../../src/contract/limits.ts'
import { z } from '../../../src/contract/zod.ts'
import { alarms } from '../../db/schema/desk.ts'
import type { Context } from '../context.ts'
import { ALERTS, isAlertKind } from '../ports/alerts.ts'
import { toIso } from '../time.ts'

/** The alarms that nobody has acknowledged, oldest first. */
export function alarmsQuery({ db, now }: Context) {
  return db
    .select()
    .from(alarms)
    .where(and(isNull(alarms.acknowledgedAt), lte(alarms.firstSeenAt, now)))
    .orderBy(asc(alarms.firstSeenAt))
    .limit(ALARMS_MAX)
}

const Facts = z.record(z.string(), z.unknown())

/** An alarm as the desk shows it. */
export function toAlarm(row: typeof alarms.$inferSelect): Alarm {
  const { id, kind, count, firstSeenAt, lastSeenAt, fields } = row
  const facts = Object.entries(Facts.parse(JSON.parse(fields)))
  return {
    id,
    kind,
    text: isAlertKind(kind) ? ALERTS[kind] : 'An older version of the code raised it.',
    count,
    firstAt: toIso(firstSeenAt),
    lastAt: toIso(lastSeenAt),
    facts: facts.map(([name, value]) => `${name}: ${String(value)}`.slice(0, 400)).slice(0, 20),
    ids: facts.flatMap(([, value]) => (isId(value) ? [value] : [])).slice(0, 20),
  }
}

/** Whether `find` knows it. */
function isId(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= EMAIL_MAX &&
    /^(?:(?:usr|pur|order|pay|plink|rfnd|disp|mail)_\w+|mails?-\S+)$/.test(value)
  )
}
