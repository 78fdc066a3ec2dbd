import { sql } from 'drizzle-orm'
import { z } from '../../../src/contract/zod.ts'
import type { Context } from '../context.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { days, toIso } from '../time.ts'
import { Figures, figuresSince } from './figures.ts'
import { alertsQuery, openThings } from './open-work.ts'
import { Row } from './row.ts'

/** How much open work the daily mail names, the oldest first. */
const OLDEST_MAX = 10

/**
 * Mails the owner yesterday's figures (UTC) and the oldest open work, once a day. The mail names kinds and ages only:
 * customers' data stays on the admin pages.
 */
export async function mailYesterday(ctx: Context): Promise<void> {
  const today = Math.floor(ctx.now / days(1)) * days(1)
  const yesterday = today - days(1)
  const day = toIso(yesterday).slice(0, 10)
  const { alerts, open, figures } = await ctx.db.batch({
    alerts: alertsQuery(ctx),
    open: openThings(ctx).map((things) => ctx.db.all(sql`${things} LIMIT ${OLDEST_MAX}`)),
    // A long read keeps the server from moving its log into the database, and then all writes wait for it.
    figures: ctx.db.all(figuresSince(ctx, yesterday, days(1))),
  })
  const waiting = [
    ...alerts.map(({ kind, firstSeenAt }) => ({ what: kind, at: firstSeenAt, until: null })),
    ...z.array(Row).parse(open.flat()),
  ]
  const sold = z.array(Figures).parse(figures)
  const mail = enqueueMail(ctx, {
    id: `mail-day:${day}`,
    kind: 'day_for_operator',
    payload: {
      day,
      figures: sold.filter(({ at }) => at === yesterday),
      oldest: waiting
        .toSorted((one, other) => one.at - other.at)
        .slice(0, OLDEST_MAX)
        .map(({ what, at, until }) => ({ what, since: at, until })),
    },
    to: ctx.brand.operatorEmail,
    userId: null,
  })
  await ctx.db.batch([mail])
}
