import { type AlertKind, subjectOf } from '../ports/alerts.ts'
import type { LogFields } from '../ports/log.ts'

interface Alert {
  kind: AlertKind
  fields: LogFields
  /** Milliseconds UTC. */
  at: number
}

/** The alerts of one kind and payment that are not stored yet, with the fields of the last. */
export interface PendingAlarm {
  kind: AlertKind
  fields: LogFields
  firstAt: number
  lastAt: number
  count: number
}

/**
 * What was alerted and is not stored yet, in one isolate: one entry for each kind (of some, for each
 * payment), so that a flood of calls takes no more room
 * than a single alert.
 */
export class PendingAlarms {
  private waiting = new Map<string, PendingAlarm>()

  add({ kind, fields, at }: Alert): void {
    this.merge({ kind, fields, firstAt: at, lastAt: at, count: 1 })
  }

  /** Everything that waits, which then waits no more. */
  take(): PendingAlarm[] {
    const taken = [...this.waiting.values()]
    this.waiting = new Map()
    return taken
  }

  /** Lets what could not be stored wait again. */
  putBack(alarms: readonly PendingAlarm[]): void {
    for (const alarm of alarms) this.merge(alarm)
  }

  private merge(alarm: PendingAlarm): void {
    const place = `${alarm.kind} ${subjectOf(alarm.kind, alarm.fields)}`
    const known = this.waiting.get(place)
    if (known === undefined) {
      this.waiting.set(place, alarm)
      return
    }
    this.waiting.set(place, {
      kind: alarm.kind,
      fields: alarm.lastAt >= known.lastAt ? alarm.fields : known.fields,
      firstAt: Math.min(alarm.firstAt, known.firstAt),
      lastAt: Math.max(alarm.lastAt, known.lastAt),
      count: alarm.count + known.count,
    })
  }
}
