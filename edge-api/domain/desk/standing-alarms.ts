import { and, asc, isNull, lte } from 'drizzle-orm'
import { type Alarm, ALARMS_MAX } from '../../../src/contract/desk.ts'
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
  }
}
