import { and, asc, desc, eq, gte, inArray, ne, type SQL, sql } from 'drizzle-orm'
import { z } from '../../src/contract/zod.ts'
import { adminLog } from '../db/schema/admin.ts'
import { purchases } from '../db/schema/purchases.ts'
import { accountEvents, jobApplications, mails, supportTickets } from '../db/schema/records.ts'
import { sessions } from '../db/schema/sessions.ts'
import { balances, usageDays } from '../db/schema/tokens.ts'
import { users } from '../db/schema/users.ts'
import { SIGNS_OF_USE } from '../domain/account/account-event.ts'
import { holdingColumns } from '../domain/account/account-query.ts'
import { factorColumns } from '../domain/account/has-factor.ts'
import { latestPlanOf } from '../domain/account/plan.ts'
import { isOpen } from '../domain/account/session.ts'
import type { Context } from '../domain/context.ts'
import { inFigures } from '../domain/format-money.ts'
import { toIso } from '../domain/time.ts'
import { correctionQuery } from './actions/correct-address.ts'
import {
  type Entry,
  inWords,
  minuteOf,
  moneyEntries,
  moneyStatements,
  ROWS_MAX,
} from './customer-money.ts'

/** Apart from other events, so that a stranger's guesses push nothing else off the page. */
const FAILURES_MAX = 25

/** The statements that read what the tables know about an account: the newest rows, or the oldest since an instant. */
export function customerStatements(ctx: Context, userId: string, since?: number) {
  const { db, now, paymentMode } = ctx
  const inOrder = since === undefined ? desc : asc
  const ownEmail = sql`(SELECT lower(u.email) FROM users u WHERE u.id = ${userId})`
  const isFailure = eq(accountEvents.kind, 'sign_in_failed')
  const isShown =
    since === undefined
      ? ne(accountEvents.kind, 'sign_in_failed')
      : inArray(accountEvents.kind, [...SIGNS_OF_USE])
  const events = (condition: SQL, most: number) =>
    db
      .select()
      .from(accountEvents)
      .where(
        and(eq(accountEvents.userId, userId), condition, gte(accountEvents.createdAt, since ?? 0)),
      )
      .orderBy(inOrder(accountEvents.createdAt))
      .limit(most)
  return {
    ...moneyStatements(ctx, userId),
    corrections: correctionQuery(ctx, userId),
    users: db
      .select({ user: users, ...factorColumns(sql`${userId}`), ...holdingColumns })
      .from(users)
      .leftJoin(balances, and(eq(balances.userId, users.id), eq(balances.paymentMode, paymentMode)))
      .leftJoin(purchases, eq(purchases.id, latestPlanOf(ctx, users.id)))
      .where(eq(users.id, userId)),
    sessions: db
      .select()
      .from(sessions)
      .where(and(eq(sessions.userId, userId), isOpen(now)))
      .orderBy(desc(sessions.lastUsedAt))
      .limit(ROWS_MAX),
    events: events(isShown, ROWS_MAX),
    failures: events(isFailure, since === undefined ? FAILURES_MAX : 0),
    mails: db
      .select()
      .from(mails)
      .where(and(eq(mails.userId, userId), gte(mails.createdAt, since ?? 0)))
      .orderBy(inOrder(mails.createdAt))
      .limit(ROWS_MAX),
    usage: db
      .select({ day: usageDays.day, tokens: sql<number>`sum(${usageDays.tokens})` })
      .from(usageDays)
      .where(
        and(
          eq(usageDays.userId, userId),
          eq(usageDays.paymentMode, paymentMode),
          gte(usageDays.day, since ?? 0),
        ),
      )
      .groupBy(usageDays.day)
      .orderBy(inOrder(usageDays.day))
      .limit(ROWS_MAX),
    actions: db
      .select()
      .from(adminLog)
      .where(eq(adminLog.userId, userId))
      .orderBy(desc(adminLog.createdAt))
      .limit(ROWS_MAX),
    tickets: db
      .select()
      .from(supportTickets)
      .where(sql`lower(${supportTickets.email}) = ${ownEmail}`)
      .orderBy(desc(supportTickets.number))
      .limit(ROWS_MAX),
    applications: db
      .select()
      .from(jobApplications)
      .where(sql`lower(${jobApplications.email}) = ${ownEmail}`)
      .orderBy(desc(jobApplications.number))
      .limit(ROWS_MAX),
  }
}

type Statements = ReturnType<typeof customerStatements>
/** The rows that those statements find. */
export type CustomerRows = { [Name in keyof Statements]: Awaited<Statements[Name]> }

/** Kinds of events to look at when somebody is locked out or complains. */
const TROUBLE = ['sign_in_failed', 'factor_failed', 'disputed', 'not_me']
/** Events about money are notifications to the customer; the rest of the timeline shows what happened. */
const NOTICES: Record<string, string> = {
  paid: 'payment notice sent',
  refunded: 'refund notice sent',
  disputed: 'dispute notice sent',
}

/** Everything that happened to an account, newest first. */
export function timelineOf(rows: CustomerRows): Entry[] {
  const [found] = rows.users
  const isRegistered = rows.events.some(({ kind }) => kind === 'registered')
  const entries: Entry[] = [
    ...(found === undefined || isRegistered
      ? []
      : [{ at: found.user.createdAt, about: 'account', text: 'registered' }]),
    ...rows.actions.map((row) => ({
      at: row.createdAt,
      about: 'admin',
      text: `${inWords(row.kind)}: ${row.reason} · ${changesIn(row).join(' ')}`,
      purchaseId: row.subject,
      cause: row.admin,
    })),
    ...[...rows.events, ...rows.failures].map(({ createdAt: at, kind, device, ipPrefix }) => ({
      ...{ at, about: 'account', isTrouble: TROUBLE.includes(kind) },
      text: [NOTICES[kind] ?? inWords(kind), device, ipPrefix].filter(Boolean).join(' · '),
    })),
    ...rows.usage.map(({ day: at, tokens }) => ({
      ...{ at, about: 'use' },
      text: `${inFigures(tokens)} tokens used on ${toIso(at).slice(0, 10)} (UTC), from any purchase`,
    })),
    ...rows.mails.map((mail) => ofMail(mail, rows)),
    ...rows.tickets.map(({ createdAt: at, number, severity, query }) => ({
      ...{ at, about: 'ticket', text: `T-${number} (${severity}): ${query}` },
    })),
    ...rows.applications.map(({ createdAt: at, number, jobId }) => ({
      ...{ at, about: 'application', text: `A-${number}: applied for ${jobId}` },
    })),
    ...moneyEntries(rows),
  ]
  // At the same time, an effect stands above its cause.
  return entries.toReversed().toSorted((one, other) => other.at - one.at)
}

/** The sentences of an entry of the log. */
export function changesIn({ changes }: { changes: string }): string[] {
  return z.array(z.string()).parse(JSON.parse(changes))
}

function ofMail(mail: CustomerRows['mails'][number], { actions }: CustomerRows): Entry {
  const { id: mailId, createdAt: at, kind, toAddress, sentAt, failedAt, attempts, lastError } = mail
  const isCopied = actions.some(
    (row) =>
      row.kind === 'resend_mail' && row.subject === mailId && row.createdAt >= (failedAt ?? 0),
  )
  // It is claimed from just before a try until just after it.
  const isCalm = sentAt !== null || (failedAt === null && lastError === null && attempts <= 1)
  const standing = isCalm
    ? attempts === 0
      ? 'waiting to be sent'
      : 'is being sent'
    : `${failedAt === null ? 'waits' : 'given up'} after ${attempts} tries: ${lastError ?? 'no reason'}`
  const state = sentAt === null ? standing : `sent ${minuteOf(sentAt)}`
  const text = `${inWords(kind)} to ${toAddress}: ${state}${isCopied && !isCalm ? '; sent again' : ''}`
  return { at, about: 'mail', text, mailId, isTrouble: !isCalm && !(failedAt !== null && isCopied) }
}
