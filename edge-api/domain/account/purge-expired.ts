import { and, isNotNull, isNull, lt, or } from 'drizzle-orm'
import { accountEvents, mails } from '../../db/schema/records.ts'
import { webhookEvents } from '../../db/schema/purchases.ts'
import { deviceRequests, mailedLinks, sessions, signInPasses } from '../../db/schema/sessions.ts'
import type { Context } from '../context.ts'
import { days } from '../time.ts'

/** How long expired rows are kept. The privacy page names the same periods. */
const KEEP = {
  sessions: days(30),
  links: days(7),
  deviceRequests: days(1),
  signInPasses: days(1),
  mails: days(30),
  webhookEvents: days(90),
  signInHistory: days(90),
}

/** Deletes sessions, links, mails and events whose retention period is over. */
export async function purgeExpired({ db, now }: Context): Promise<void> {
  await db.batch([
    // Before the sessions that decided them.
    db.delete(deviceRequests).where(lt(deviceRequests.expiresAt, now - KEEP.deviceRequests)),
    db
      .delete(sessions)
      .where(
        or(
          lt(sessions.expiresAt, now - KEEP.sessions),
          and(isNotNull(sessions.endedAt), lt(sessions.endedAt, now - KEEP.sessions)),
        ),
      ),
    db.delete(mailedLinks).where(lt(mailedLinks.expiresAt, now - KEEP.links)),
    db.delete(signInPasses).where(lt(signInPasses.expiresAt, now - KEEP.signInPasses)),
    // Mails that are not due were sent or given up.
    db.delete(mails).where(and(isNull(mails.dueAt), lt(mails.createdAt, now - KEEP.mails))),
    db
      .delete(webhookEvents)
      .where(
        and(
          isNotNull(webhookEvents.processedAt),
          lt(webhookEvents.receivedAt, now - KEEP.webhookEvents),
        ),
      ),
    db.delete(accountEvents).where(lt(accountEvents.createdAt, now - KEEP.signInHistory)),
  ])
}
