import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Context } from '../../edge-api/domain/context.ts'
import { alertsQuery, openThings, urgencyOf } from '../../edge-api/domain/report/open-work.ts'
import { Row } from '../../edge-api/domain/report/row.ts'
import { days, hours, inMinutes } from '../../edge-api/domain/time.ts'

export interface Stuck {
  lines: string[]
  /** Whether something has waited too long. */
  isOverdue: boolean
}

/** How many things of one kind are shown. */
const SHOWN = 20

/** `ops stuck`: alerts and everything that waits for a person or a job, the oldest first. */
export async function stuck(ctx: Context): Promise<Stuck> {
  const { alerts, open } = await ctx.db.batch({
    alerts: alertsQuery(ctx),
    open: openThings(ctx).map((things) => ctx.db.all(sql`${things} LIMIT ${SHOWN + 1}`)),
  })
  const kinds = open.map((rows) => z.array(Row).parse(rows))
  const raised = alerts.map(({ kind, firstSeenAt: at, count }) =>
    Row.parse({ what: 'alert', name: kind, tag: count === 1 ? '' : `${count} times`, at }),
  )
  const things = [...raised, ...kinds.flatMap((rows) => rows.slice(0, SHOWN))]
  const more = kinds.flatMap(([first, ...rows]) =>
    first === undefined || rows.length < SHOWN ? [] : [`There are more of: ${first.what}.`],
  )
  if (things.length === 0) return { lines: ['Nothing is waiting.'], isOverdue: false }
  const sorted = things.toSorted((one, other) => one.at - other.at)
  return {
    lines: [...sorted.map((thing) => lineOf(ctx, thing)), ...more],
    isOverdue: things.some((thing) => urgencyOf(ctx, thing) !== 'waits'),
  }
}

function lineOf(ctx: Context, thing: Row): string {
  const { what, name, tag, who, text, at, until } = thing
  const urgency = urgencyOf(ctx, thing)
  const isPassed = urgency === 'passed' ? ', which has passed' : ''
  const limit = until === null ? '' : `answer before ${inMinutes(until)}${isPassed}`
  const words = [ageOf(ctx.now - at), what, name, tag, who, text, limit].filter(Boolean).join('  ')
  return `${urgency === 'waits' ? ' ' : '!'} ${words}`
}

function ageOf(ms: number): string {
  if (ms < hours(1)) return `${Math.floor(ms / 60_000)} min`.padStart(6)
  return (
    ms < days(2) ? `${Math.floor(ms / hours(1))} h` : `${Math.floor(ms / days(1))} d`
  ).padStart(6)
}
