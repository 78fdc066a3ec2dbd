import { sql } from 'drizzle-orm'
import { DayFigures } from '../../../src/contract/desk.ts'
import { z } from '../../../src/contract/zod.ts'
import type { Context } from '../context.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { days, toIso } from '../time.ts'
import { alarmsQuery } from './alarms.ts'
import { figuresByDay, OpenRow, openThings } from './today.ts'

/** Of everything that is open, the oldest. */
const OLDEST_MAX = 10
const YESTERDAY_AND_TODAY = 2

/**
 * Mails the operator the figures of the UTC day before and the oldest open things, once for each day. The mail names
 * kinds and ages only: what belongs to a customer stays at the desk.
 */
export async function mailYesterday(ctx: Context): Promise<void> {
  const day = toIso(ctx.now - days(1)).slice(0, 10)
  const { alarms, open, figures } = await ctx.db.batch({
    alarms: alarmsQuery(ctx),
    open: openThings(ctx).map((things) => ctx.db.all(sql`${things} LIMIT ${OLDEST_MAX}`)),
    // A long read keeps the server from moving its log into the database, and then all writes wait for it.
    figures: ctx.db.all(figuresByDay(ctx, YESTERDAY_AND_TODAY)),
  })
  const waiting = [
    ...alarms.map(({ kind, firstSeenAt }) => ({ what: kind, since: firstSeenAt, until: null })),
    ...z.array(OpenRow).parse(open.flat()),
  ]
  const mail = enqueueMail(ctx, {
    id: `mail-day:${day}`,
    kind: 'day_for_operator',
    payload: {
      day,
      figures: z
        .array(DayFigures)
        .parse(figures)
        .filter((figure) => figure.day === day),
      oldest: waiting
        .toSorted((one, other) => one.since - other.since)
        .slice(0, OLDEST_MAX)
        .map(({ what, since, until }) => ({ what, since, until })),
    },
    to: ctx.brand.operatorEmail,
    userId: null,
  })
  await ctx.db.batch([mail])
}
