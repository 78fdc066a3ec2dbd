import {
  and,
  desc,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { CORRECTION_DAYS } from '../../../src/contract/limits.ts'
import { answeredChallenges } from '../../db/schema/factors.ts'
import { submissionEntries } from '../../db/schema/inbox.ts'
import { addressCorrections, alerts } from '../../db/schema/admin.ts'
import { purchases, webhookEvents } from '../../db/schema/purchases.ts'
import { accountEvents, dailyCounts, jobApplications, mails } from '../../db/schema/records.ts'
import { deviceRequests, mailedLinks, sessions, signInTickets } from '../../db/schema/sessions.ts'
import type { Context } from '../context.ts'
import { dayOf, days } from '../time.ts'
import { SIGNS_OF_USE } from '../account/record-event.ts'
import { entriesAbout, mailsAbout } from './find-submissions.ts'

/** How long expired rows are kept. The privacy page names the same periods. */
const KEEP = {
  sessions: days(30),
  links: days(7),
  corrections: days(CORRECTION_DAYS),
  deviceRequests: days(1),
  signInTickets: days(1),
  mails: days(30),
  webhookEvents: days(90),
  signInHistory: days(90),
  /** Card schemes allow a dispute this long after a payment, so mailed receipts and signs of use are kept. */
  evidence: days(540),
  /** `APPLICATION_MONTHS`, twelve. */
  applications: days(365),
  /** As long as the copy of the log (docs/runbook.md). They hold facts of its lines. */
  acknowledgedAlerts: days(180),
}

/**
 * How long one batch may work, in milliseconds, since other writes wait for it. Rows that expired long ago are seldom
 * in the server's memory, and reading a row from disk takes a hundred times as long.
 */
const BATCH_MS = 50
const MOST_ROWS = 60
/** After a batch of 40 ms the purge waits for 80 ms, so that other writes get through. */
const REST_FACTOR = 2
/** Rows that one statement reads to find the expired ones among those that are kept. */
const PAGE_ROWS = 500

interface Expired {
  table: SQLiteTable
  /** An index finds these rows. */
  isOver: SQL | undefined
}

/** Expired rows among rows of the same age that are kept for longer. */
interface ExpiredAmongKept extends Expired {
  createdAt: SQLiteColumn
  /** All expired rows were created before. */
  before: number
}

/**
 * Deletes sessions, links, mails, events and decided applications whose retention period is over: a few rows of one table in each
 * transaction with a pause after it, until none is left or the run's time is over. Empties the facts of old alerts.
 *
 * @param endsAt when to stop, in milliseconds UTC; the next day's run continues, and an alert says that it must
 */
export async function purgeExpired(ctx: Context, endsAt = Infinity): Promise<void> {
  for (const expired of expiredRows(ctx.now)) await deleteAll(ctx, expired, endsAt)
  for (const expired of expiredAmongKept(ctx.now)) await deletePages(ctx, expired, endsAt)
  await ctx.db.batch([forgetFacts(ctx)])
  if (ctx.clock() >= endsAt) ctx.log.alert('the purge did not finish')
  // Last, because strangers can cause any number of these rows, and the run's time may end before they are deleted.
  await deleteAll(ctx, { table: dailyCounts, isOver: lt(dailyCounts.day, dayOf(ctx.now)) }, endsAt)
}

/**
 * Looks for expired rows page by page before the write that deletes, because a write holds up all others. The newest come
 * first: each day adds expired rows there, and what is older was looked at on the days before.
 */
async function deletePages(ctx: Context, expired: ExpiredAmongKept, endsAt: number): Promise<void> {
  const { table, createdAt, before } = expired
  let from: Row | undefined = { id: 0, createdAt: before }
  while (from !== undefined && ctx.clock() < endsAt) {
    const { page }: { page: Row[] } = await ctx.db.batch({ page: readPage(ctx, expired, from) })
    const ids = page.flatMap(({ id, isOver }) => (isOver === 1 ? [id] : []))
    // Asks again what was read: the rows get other ids when the server compacts the database.
    const isOver = and(inArray(ROWID, ids), expired.isOver, lt(createdAt, before))
    if (ids.length > 0) await deleteAll(ctx, { table, isOver }, endsAt)
    from = page.length < PAGE_ROWS ? undefined : page.at(-1)
  }
}

const ROWID = sql<number>`rowid`

interface Row {
  id: number
  createdAt: number
  isOver?: number
}

function readPage({ db }: Context, { table, createdAt, isOver }: ExpiredAmongKept, from: Row) {
  return db
    .select({ id: ROWID, createdAt: sql<number>`${createdAt}`, isOver: sql<number>`${isOver}` })
    .from(table)
    .where(
      and(lte(createdAt, from.createdAt), or(lt(createdAt, from.createdAt), lt(ROWID, from.id))),
    )
    .orderBy(desc(createdAt), desc(ROWID))
    .limit(PAGE_ROWS)
}

async function deleteAll(ctx: Context, expired: Expired, endsAt: number): Promise<void> {
  let rows = 1
  let way = Infinity
  while (ctx.clock() < endsAt) {
    const beganAt = ctx.clock()
    const [{ rowsAffected }] = await ctx.db.batch([deleteSome(ctx, expired, rows)])
    if (rowsAffected < rows) return
    const tookMs = ctx.clock() - beganAt
    await ctx.pause(tookMs * REST_FACTOR)
    way = Math.min(way, tookMs)
    rows = rowsFitting(rows, tookMs - way)
  }
}

/**
 * How many rows the next batch deletes, so that it takes about 50 ms: from what the last one took without the network's time.
 * After 30 rows in 100 ms it is 15; after 20 rows in 10 ms it is 40, since it at most doubles.
 */
function rowsFitting(rows: number, tookMs: number): number {
  const fitting = Math.floor((rows * BATCH_MS) / Math.max(tookMs, 1))
  return Math.max(1, Math.min(fitting, rows * 2, MOST_ROWS))
}

function deleteSome({ db }: Context, { table, isOver }: Expired, rows: number) {
  const some = db.select({ id: ROWID }).from(table).where(isOver).limit(rows)
  return db.delete(table).where(inArray(ROWID, some))
}

/** That an alert was raised and acknowledged stays. */
function forgetFacts({ db, now }: Context) {
  const isOver = lt(alerts.acknowledgedAt, now - KEEP.acknowledgedAlerts)
  // Not a parameter: the index has these rows alone.
  const hasFacts = sql`${alerts.fields} <> '{}'`
  return db.update(alerts).set({ fields: '{}' }).where(and(isOver, hasFacts))
}

/** Applications that were decided long ago, after the rows about them. */
function expiredApplications(now: number): Expired[] {
  const isOver = lt(jobApplications.decidedAt, now - KEEP.applications)
  return [
    { table: mails, isOver: mailsAbout(jobApplications, isOver) },
    { table: submissionEntries, isOver: entriesAbout(jobApplications, isOver) },
    { table: jobApplications, isOver },
  ]
}

function expiredRows(now: number): Expired[] {
  return [
    ...expiredApplications(now),
    // Before the sessions that decided them.
    { table: deviceRequests, isOver: lt(deviceRequests.expiresAt, now - KEEP.deviceRequests) },
    { table: sessions, isOver: lt(sessions.expiresAt, now - KEEP.sessions) },
    { table: sessions, isOver: lt(sessions.endedAt, now - KEEP.sessions) },
    { table: mailedLinks, isOver: lt(mailedLinks.expiresAt, now - KEEP.links) },
    {
      table: addressCorrections,
      isOver: lt(addressCorrections.correctedAt, now - KEEP.corrections),
    },
    { table: signInTickets, isOver: lt(signInTickets.expiresAt, now - KEEP.signInTickets) },
    { table: answeredChallenges, isOver: lt(answeredChallenges.expiresAt, now) },
    {
      table: webhookEvents,
      isOver: and(
        isNotNull(webhookEvents.processedAt),
        lt(webhookEvents.receivedAt, now - KEEP.webhookEvents),
      ),
    },
    { table: mails, isOver: and(isNull(mails.dueAt), lt(mails.createdAt, now - KEEP.evidence)) },
    { table: accountEvents, isOver: lt(accountEvents.createdAt, now - KEEP.evidence) },
  ]
}

function expiredAmongKept(now: number): ExpiredAmongKept[] {
  return [
    {
      table: mails,
      createdAt: mails.createdAt,
      before: now - KEEP.mails,
      // Mails that are not due were sent or given up.
      isOver: and(isNull(mails.dueAt), ne(mails.kind, 'receipt')),
    },
    {
      table: accountEvents,
      createdAt: accountEvents.createdAt,
      before: now - KEEP.signInHistory,
      isOver: or(
        notInArray(accountEvents.kind, [...SIGNS_OF_USE]),
        sql`NOT EXISTS (
          SELECT 1 FROM ${purchases} p
          WHERE p.user_id = account_events.user_id AND p.paid_at > ${now - KEEP.evidence})`,
      ),
    },
  ]
}
