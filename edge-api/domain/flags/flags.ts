import { and, eq, type SQL, sql } from 'drizzle-orm'
import {
  type Announcement,
  ANNOUNCEMENT_SECONDS,
  type announcementEndpoint,
} from '../../../src/contract/announcement.ts'
import { flags } from '../../db/schema/inbox.ts'
import type { Context } from '../context.ts'
import { seconds, toIsoOrNull } from '../time.ts'
import type { PublicHandler } from '../handler.ts'

export type FlagName = (typeof flags.name.enumValues)[number]

/** In SQL, whether operators switched something off. For the statement that it forbids, so that it costs no round trip. */
export function isTurnedOff(name: FlagName): SQL<number> {
  return sql`EXISTS (SELECT 1 FROM ${flags} WHERE ${flags.name} = ${name} AND ${flags.isOn} = 0)`
}

/** A row when operators switched something off. For the batch of a handler that then rejects. */
export function turnedOffQuery({ db }: Context, name: FlagName) {
  return db
    .select({ name: flags.name })
    .from(flags)
    .where(and(eq(flags.name, name), eq(flags.isOn, false)))
}

/** For the payload of a mail: whether the trial is on when the mail is written. */
export function trialFact() {
  return { hasTrial: sql`json(iif(${isTurnedOff('trial')}, 'false', 'true'))` }
}

/**
 * Makes the handler that answers the announcement on every page. It asks the database once a minute however many call it,
 * and repeats its last answer while the database is down, since visitors did not ask for it and need no error.
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
  const isStanding = and(eq(flags.name, 'announcement'), eq(flags.isOn, true))
  const { rows } = await db.batch({ rows: db.select().from(flags).where(isStanding) })
  const [row] = rows
  if (row === undefined) return null
  return { version: row.version, text: row.text, until: toIsoOrNull(row.until) }
}
