import { and, desc, eq, gt, inArray } from 'drizzle-orm'
import { PAGE_SIZE_MAX } from '../../../src/contract/limits.ts'
import {
  type AccountEvent,
  AccountEventKind,
  type noticesEndpoint,
  type readNoticesEndpoint,
  type signInHistoryEndpoint,
} from '../../../src/contract/notice.ts'
import { accountEvents } from '../../db/schema/records.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { days, toIso } from '../time.ts'
import type { SessionVerb } from '../verb.ts'
import { NOTICE_KINDS, SIGN_IN_KINDS } from './account-event.ts'
import { accountQuery, requireAccount } from './account-query.ts'
import { describeEvent } from './describe-event.ts'

/** What the bell shows, newest first. */
export const listNotices: SessionVerb<typeof noticesEndpoint> = async (ctx, { claims }) => {
  const { accounts, rows } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    rows: eventsOf(ctx, claims.userId, NOTICE_KINDS),
  })
  const { user, unreadNotices } = requireAccount(accounts)
  const notices = rows.flatMap((row) => toEvent(row, user.noticesReadAt))
  return { success: true, notices, unread: unreadNotices }
}

/** Marks everything that is there now as read. */
export const readNotices: SessionVerb<typeof readNoticesEndpoint> = async (ctx, { claims }) => {
  const { accounts } = await ctx.db.batch({ accounts: accountQuery(ctx, claims) })
  const { user } = requireAccount(accounts)
  await ctx.db.batch([
    ctx.db.update(users).set({ noticesReadAt: ctx.now }).where(eq(users.id, user.id)),
  ])
  return { success: true }
}

/** Sign-ins, the failed ones too, as long as they are kept. */
export const listSignIns: SessionVerb<typeof signInHistoryEndpoint> = async (ctx, { claims }) => {
  const { accounts, rows } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    rows: eventsOf(ctx, claims.userId, SIGN_IN_KINDS),
  })
  const { user } = requireAccount(accounts)
  return { success: true, events: rows.flatMap((row) => toEvent(row, user.noticesReadAt)) }
}

function eventsOf({ db, now }: Context, userId: string, kinds: readonly AccountEventKind[]) {
  return db
    .select()
    .from(accountEvents)
    .where(
      and(
        eq(accountEvents.userId, userId),
        inArray(accountEvents.kind, [...kinds]),
        gt(accountEvents.createdAt, now - days(90)),
      ),
    )
    .orderBy(desc(accountEvents.createdAt), desc(accountEvents.id))
    .limit(PAGE_SIZE_MAX)
}

function toEvent(row: typeof accountEvents.$inferSelect, readAt: number): AccountEvent[] {
  const kind = AccountEventKind.safeParse(row.kind)
  if (!kind.success) return []
  return [
    {
      id: row.id,
      kind: kind.data,
      text: describeEvent(kind.data, row),
      device: row.device,
      isUnread: row.createdAt > readAt,
      createdAt: toIso(row.createdAt),
    },
  ]
}
