import { and, eq, type SQL, sql } from 'drizzle-orm'
import {
  type Announcement,
  ANNOUNCEMENT_SECONDS,
  type announcementEndpoint,
} from '../../../src/contract/announcement.ts'
import { switches } from '../../db/schema/inbox.ts'
import type { Context } from '../context.ts'
import { seconds, toIsoOrNull } from '../time.ts'
import type { PublicHandler } from '../handler.ts'

export type SwitchName = (typeof switches.name.enumValues)[number]

/** In SQL, whether operators switched something off. For the statement that it forbids, so that it costs no round trip. */
export function isSwitchedOff(name: SwitchName): SQL<number> {
  return sql`EXISTS (SELECT 1 FROM ${switches} WHERE ${switches.name} = ${name} AND ${switches.isOn} = 0)`
}

/** A row when operators switched something off. For the batch of a handler that then refuses. */
export function switchedOffQuery({ db }: Context, name: SwitchName) {
  return db
    .select({ name: switches.name })
    .from(switches)
    .where(and(eq(switches.name, name), eq(switches.isOn, false)))
}

/** For the payload of a mail: whether the trial is on when the mail is written. */
export function trialFact() {
  return { hasTrial: sql`json(iif(${isSwitchedOff('trial')}, 'false', 'true'))` }
}

/**
 * Makes the handler that answers what the site tells everybody. It asks the database once a minute however many call it,
 * and keeps its last answer while the database is down: visitors see no error about something they did not ask for.
 */
export function announcementHandler(): PublicHandler<typeof announcementEndpoint> {
  let kept: Announcement | null = null
  let askedAt = 0
  return async (ctx) => {
    if (ctx.now >= askedAt + seconds(ANNOUNCEMENT_SECONDS)) {
      // Set before it asks, so that simultaneous calls get the kept answer.
      askedAt = ctx.now
      kept = await readAnnouncement(ctx).catch(() => kept)
    }
    const isOver = kept?.until != null && Date.parse(kept.until) <= ctx.now
    return { success: true, announcement: isOver ? null : kept }
  }
}

async function readAnnouncement({ db }: Context): Promise<Announcement | null> {
  const isStanding = and(eq(switches.name, 'announcement'), eq(switches.isOn, true))
  const { rows } = await db.batch({ rows: db.select().from(switches).where(isStanding) })
  const [row] = rows
  if (row === undefined) return null
  return { version: row.version, text: row.text, until: toIsoOrNull(row.until) }
}
