import { sql } from 'drizzle-orm'
import { z } from '../../../src/contract/zod.ts'
import type { Context } from '../context.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { days, toIso } from '../time.ts'
import { Figures, figuresSince } from './figures.ts'
import { alertsQuery, byUrgency, openThings } from './open-work.ts'
import { Row } from './row.ts'

/** How much open work the daily mail names. */
const NAMED_MAX = 10

/**
 * Mails the owner yesterday's figures (UTC) and the most urgent open work, once a day. The mail names kinds and ages only:
 * customers' data stays on the admin pages.
 */
export async function mailYesterday(ctx: Context): Promise<void> {
  const today = Math.floor(ctx.now / days(1)) * days(1)
  const yesterday = today - days(1)
  const day = toIso(yesterday).slice(0, 10)
  const { alerts, open, figures } = await ctx.db.batch({
    alerts: alertsQuery(ctx),
    open: openThings(ctx).map((things) => ctx.db.all(sql`${things} LIMIT ${NAMED_MAX}`)),
    // A long read keeps the server from moving its log into the database, and then all writes wait for it.
    figures: ctx.db.all(figuresSince(ctx, yesterday, days(1))),
  })
  const waiting = [
    ...alerts.map(({ kind, firstSeenAt }) => Row.parse({ what: kind, at: firstSeenAt })),
    ...z.array(Row).parse(open.flat()),
  ].toSorted(byUrgency(ctx))
  const sold = z.array(Figures).parse(figures)
  const mail = enqueueMail(ctx, {
    id: `mail-day:${day}`,
    kind: 'day_for_operator',
    payload: {
      day,
      figures: sold.filter(({ at }) => at === yesterday),
      oldest: waiting
        .slice(0, NAMED_MAX)
        .map(({ what, at, until }) => ({ what, since: at, until })),
    },
    to: ctx.brand.operatorEmail,
    userId: null,
  })
  await ctx.db.batch([mail])
}
