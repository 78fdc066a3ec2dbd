import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm'
import { formatMinor } from '../../../src/contract/amount.ts'
import { Currency } from '../../../src/contract/currency.ts'
import { PAGE_SIZE_MAX } from '../../../src/contract/limits.ts'
import {
  type AccountEvent,
  AccountEventKind,
  type noticesEndpoint,
  type readNoticesEndpoint,
  type signInHistoryEndpoint,
} from '../../../src/contract/notice.ts'
import { z } from '../../../src/contract/zod.ts'
import { accountEvents } from '../../db/schema/records.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { minuteInWords, toIso } from '../time.ts'
import type { SessionHandler } from '../handler.ts'
import { LISTED_MS, NOTICE_KINDS } from '../account/record-event.ts'
import { accountQuery, readAccount, requireSignedIn } from '../session/account-query.ts'
import { inFigures } from '../format-money.ts'

/** Notifications, newest first. */
export const listNotices: SessionHandler<typeof noticesEndpoint> = async (ctx, { claims }) => {
  const { accounts, rows } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    // The plus keeps SQLite from using the index by time: notifications are few, and the index by kind finds them sooner.
    rows: eventsOf(ctx, claims.userId, NOTICE_KINDS).orderBy(
      desc(sql`+${accountEvents.createdAt}`),
      desc(accountEvents.id),
    ),
  })
  const { user, unreadNotices } = requireSignedIn(accounts)
  const notices = rows.flatMap((row) => toEvent(row, user.noticesReadAt))
  return { success: true, notices, unread: unreadNotices }
}

/** Marks all present notifications as read. */
export const readNotices: SessionHandler<typeof readNoticesEndpoint> = async (ctx, { claims }) => {
  const { user } = await readAccount(ctx, claims)
  await ctx.db.batch([
    ctx.db.update(users).set({ noticesReadAt: ctx.now }).where(eq(users.id, user.id)),
  ])
  return { success: true }
}

/** Sign-ins of the last 90 days, failed ones included. */
export const listSignIns: SessionHandler<typeof signInHistoryEndpoint> = async (
  ctx,
  { claims },
) => {
  // Each kind has its own part of the list, so that a stranger's wrong passwords push no sign-in off it.
  const newest = (kind: AccountEventKind) =>
    eventsOf(ctx, claims.userId, [kind], PAGE_SIZE_MAX / 4).orderBy(
      desc(accountEvents.createdAt),
      desc(accountEvents.id),
    )
  const { accounts, ...kinds } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    signedIn: newest('signed_in'),
    newDevice: newest('signed_in_new_device'),
    wrongPassword: newest('sign_in_failed'),
    wrongFactor: newest('factor_failed'),
  })
  const { user } = requireSignedIn(accounts)
  const rows = Object.values(kinds)
    .flat()
    .toSorted((one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1))
  return { success: true, events: rows.flatMap((row) => toEvent(row, user.noticesReadAt)) }
}

function eventsOf(
  { db, now }: Context,
  userId: string,
  kinds: readonly AccountEventKind[],
  most: number = PAGE_SIZE_MAX,
) {
  return db
    .select()
    .from(accountEvents)
    .where(
      and(
        eq(accountEvents.userId, userId),
        inArray(accountEvents.kind, [...kinds]),
        gt(accountEvents.createdAt, now - LISTED_MS),
      ),
    )
    .limit(most)
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

const Detail = z.record(z.string(), z.union([z.string(), z.number()]))

/** The sentence that the user reads. `detail` is the event's data, as JSON. */
function describeEvent(
  kind: AccountEventKind,
  event: { detail: string; device: string | null },
): string {
  const detail = Detail.catch({}).parse(JSON.parse(event.detail))
  const device = event.device?.replace(/^Unknown device$/, 'an unknown device')
  return SENTENCES[kind]({ detail, device: device ?? 'an unknown device' })
}

interface Facts {
  detail: z.infer<typeof Detail>
  device: string
}

const DISPUTES: Readonly<Record<string, string>> = {
  final: 'Your bank returned the money of a disputed payment',
  undone: 'The dispute of a payment was closed',
  inquiry: 'Your bank returned to a question about a payment, and holds its money no longer',
}

/** "Refunded: $35.00 for Pro." Old entries have no amount, and somebody may have paid in a currency that we do not sell in. */
function describeMoney(what: string, { amount, currency, item = 'a purchase' }: Facts['detail']) {
  const known = Currency.safeParse(currency)
  const sum = known.success ? `${formatMinor(Number(amount), known.data)} for ` : ''
  return `${what}: ${sum}${item}.`
}

const SENTENCES: Record<AccountEventKind, (facts: Facts) => string> = {
  registered: () => 'You created this account.',
  signed_in: ({ device }) => `Signed in on ${device}.`,
  signed_in_new_device: ({ device }) => `New sign-in from ${device}.`,
  sign_in_failed: ({ device }) => `Wrong password entered on ${device}.`,
  signed_out: ({ device }) => `Signed out on ${device}.`,
  session_ended: () => 'You signed out a device.',
  email_verified: () => 'Your email address was verified.',
  trial_granted: ({ detail }) =>
    `${inFigures(Number(detail['tokens'] ?? 0))} tokens were added for you to try the app.`,
  password_reset_requested: () => 'A password reset link was requested.',
  password_reset: () => 'Your password was reset. All devices were signed out.',
  password_changed: () => 'Your password was changed. Other devices were signed out.',
  profile_changed: () => 'Your profile was changed.',
  paid: ({ detail }) => describeMoney('Payment received', detail),
  refund_asked: ({ detail }) => `A refund was requested: ${detail['item'] ?? 'a purchase'}.`,
  refunded: ({ detail }) => describeMoney('Refunded', detail),
  disputed: ({ detail: { step = 'open', item = 'a purchase' } }) =>
    `${DISPUTES[step] ?? 'A payment was disputed'}: ${item}.`,
  plan_cancelled: () => 'You cancelled your plan. It runs until the end of its period.',
  plan_reactivated: () => 'You reactivated your plan.',
  // Entries of before 30 November 2026 lack the end.
  plan_ending: ({ detail: { days, endsAt } }) =>
    endsAt === undefined
      ? `Your plan ends in ${Number(days) === 1 ? 'one day' : `${days ?? 'a few'} days`}.`
      : `Your plan ends on ${minuteInWords(Number(endsAt))}.`,
  /** Said by the action of an admin (edge-api/admin/actions). */
  by_support: ({ detail }) => String(detail['text'] ?? 'Our support team changed your account.'),
  tokens_low: () => 'Less than 10% of your tokens are left.',
  device_connected: ({ detail }) => `Signed in: ${detail['client'] ?? 'a desktop app'}.`,
  google_connected: ({ detail }) =>
    `A Google account was connected: ${detail['email'] ?? 'you can sign in with it'}.`,
  not_me: () => 'You reported that something was not you. All devices were signed out.',
  factor_added: ({ detail }) => `Second step added: ${detail['factor'] ?? 'a factor'}.`,
  factor_removed: ({ detail }) => `Second step removed: ${detail['factor'] ?? 'a factor'}.`,
  factor_failed: ({ device }) => `Second step failed on ${device}.`,
  recovery_codes_renewed: () => 'New recovery codes were created. The old ones no longer work.',
  recovery_code_used: ({ device }) => `A recovery code was used on ${device}.`,
  terms_accepted: ({ detail }) => `You accepted the terms of ${detail['version'] ?? 'today'}.`,
  data_exported: () => 'You downloaded your data.',
  account_deleted: () => 'The account was deleted.',
}
