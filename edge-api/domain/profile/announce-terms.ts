import { inArray, lt } from 'drizzle-orm'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { enqueueMails } from '../mail/outbox.ts'
import { minutes } from '../time.ts'
import { TERMS, termsCountFrom } from '../account/terms.ts'

/** Accounts that one statement reads. Their mails become due together, a minute after those of the page before. */
const PAGE_ROWS = 200
/** A page a minute, so the mails of a run are due within 1,000 minutes: before the next day's run begins. */
const MOST_PAGES = 1_000

/**
 * Announces the present version of the terms to every account, once. Each announcement is stored in the batch that
 * writes its mail, so a run that dies loses nothing and the next one continues where it stopped. Other mail does not wait
 * behind all of these.
 *
 * @param endsAt when to stop, in milliseconds UTC; the next day's run continues
 */
export async function announceTerms(ctx: Context, endsAt = Infinity): Promise<void> {
  const { version, changes } = TERMS
  let isLast = false
  for (let pages = 0; !isLast && pages < MOST_PAGES && ctx.clock() < endsAt; pages += 1) {
    const { page } = await ctx.db.batch({ page: selectNotNotified(ctx) })
    if (page.length === 0) return
    const at = ctx.now + minutes(pages)
    const from = termsCountFrom(at)
    const announcements = page
      .filter(({ deletedAt }) => deletedAt === null)
      .map(({ id, email }) => ({
        kind: 'terms_changed' as const,
        payload: { from, changes: [...changes] },
        id: `terms:${version}:${id}`,
        to: email,
        userId: id,
      }))
    const ids = page.map(({ id }) => id)
    await ctx.db.batch({
      announced: ctx.db
        .update(users)
        .set({ termsAnnouncedVersion: version, termsAnnouncedAt: at })
        .where(inArray(users.id, ids)),
      mails: announcements.length === 0 ? [] : [enqueueMails({ ...ctx, now: at }, announcements)],
    })
    isLast = page.length < PAGE_ROWS
  }
}

function selectNotNotified({ db }: Context) {
  return db
    .select({ id: users.id, email: users.email, deletedAt: users.deletedAt })
    .from(users)
    .where(lt(users.termsAnnouncedVersion, TERMS.version))
    .limit(PAGE_ROWS)
}
