import { sql } from 'drizzle-orm'
import { insertFrom } from '../../db/insert-from.ts'
import { alerts } from '../../db/schema/admin.ts'
import type { Context } from '../context.ts'
import { enqueueMailFrom } from '../mail/outbox.ts'
import { type AlertKind, subjectOf } from '../ports/alerts.ts'
import type { LogFields } from '../ports/log.ts'
import { hours } from '../time.ts'

/** At most one mail of a kind and payment in this time. */
const MAIL_EACH_MS = hours(1)

/** The provider's words can be long. */
const FIELD_CHARACTERS = 300

/**
 * Stores new alerts, with the mails that are due, in one batch. Never throws: alerts that cannot be stored wait for the
 * isolate's next answer or job. Their log lines are already written.
 */
export async function storeAlerts(ctx: Context, pending: PendingAlerts): Promise<void> {
  const taken = pending.take()
  if (taken.length === 0) return
  // A job may run for minutes after its `now`.
  const present = { ...ctx, now: ctx.clock() }
  try {
    await ctx.db.batch({
      raised: taken.map((alert) => raise(present, alert)),
      mailed: taken.map((alert) => mail(present, alert)),
    })
  } catch (error) {
    pending.putBack(taken)
    ctx.log.error('alerts could not be stored', error)
  }
}

function raise({ db, newId, now }: Context, { kind, fields, ...alert }: PendingAlert) {
  const subject = subjectOf(kind, fields)
  const wasMailed = sql`EXISTS (SELECT 1 FROM ${alerts} a WHERE a.kind = ${kind} AND a.subject = ${subject} AND a.mailed_at > ${now - MAIL_EACH_MS})`
  const row = {
    id: newId('alarm'),
    kind,
    subject,
    firstSeenAt: alert.firstAt,
    lastSeenAt: alert.lastAt,
    count: alert.count,
    fields: JSON.stringify(shortened(fields)),
    mailedAt: sql`iif(${wasMailed}, NULL, ${now})`,
  }
  return db.run(sql`${insertFrom(alerts, row, sql`WHERE true`)}
    ON CONFLICT (kind, subject) WHERE acknowledged_at IS NULL DO UPDATE SET
      count = count + excluded.count,
      last_seen_at = max(last_seen_at, excluded.last_seen_at),
      fields = excluded.fields,
      mailed_at = coalesce(excluded.mailed_at, mailed_at)`)
}

/** The mail exists when `raise` has just set its time. */
function mail(ctx: Context, { kind, fields }: PendingAlert) {
  const subject = subjectOf(kind, fields)
  return enqueueMailFrom(
    ctx,
    {
      id: `mail-alarm:${kind}:${subject}${ctx.now}`,
      kind: 'alarm_for_operator',
      payload: {
        kind,
        fields: shortened(fields),
        count: sql`a.count`,
        firstAt: sql`a.first_seen_at`,
      },
      to: ctx.brand.operatorEmail,
      userId: null,
    },
    sql`FROM ${alerts} a
      WHERE a.kind = ${kind} AND a.subject = ${subject} AND a.acknowledged_at IS NULL AND a.mailed_at = ${ctx.now}`,
  )
}

function shortened(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, FIELD_CHARACTERS) : value,
    ]),
  )
}

interface Alert {
  kind: AlertKind
  fields: LogFields
  /** Milliseconds UTC. */
  at: number
}

/** The alerts of one kind and payment that are not stored yet, with the fields of the last. */
interface PendingAlert {
  kind: AlertKind
  fields: LogFields
  firstAt: number
  lastAt: number
  count: number
}

/**
 * The alerts of one isolate that are not stored yet: one entry per kind (for some kinds, per payment), so that a flood
 * of calls takes no more room than a single alert.
 */
export class PendingAlerts {
  private waiting = new Map<string, PendingAlert>()

  add({ kind, fields, at }: Alert): void {
    this.merge({ kind, fields, firstAt: at, lastAt: at, count: 1 })
  }

  /** Takes everything that waits. */
  take(): PendingAlert[] {
    const taken = [...this.waiting.values()]
    this.waiting = new Map()
    return taken
  }

  /** Puts back what could not be stored. */
  putBack(alerts: readonly PendingAlert[]): void {
    for (const alert of alerts) this.merge(alert)
  }

  private merge(alert: PendingAlert): void {
    const place = `${alert.kind} ${subjectOf(alert.kind, alert.fields)}`
    const known = this.waiting.get(place)
    if (known === undefined) {
      this.waiting.set(place, alert)
      return
    }
    this.waiting.set(place, {
      kind: alert.kind,
      fields: alert.lastAt >= known.lastAt ? alert.fields : known.fields,
      firstAt: Math.min(alert.firstAt, known.firstAt),
      lastAt: Math.max(alert.lastAt, known.lastAt),
      count: alert.count + known.count,
    })
  }
}
