import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag, instant, wholeNumbers } from './columns.ts'
import { purchases } from './purchases.ts'
import { ofUser, users } from './users.ts'

/**
 * Every change of a token balance, append-only (triggers reject UPDATE and DELETE). `ref` names the cause, so that one cause
 * has one entry: `grant:<purchase>`, `reversal:<purchase>:v<version>`, `restoration:<purchase>:v<version>` (the buyer's
 * `money_version`), `trial:<user>`, `use:<user>:<key>`, `adjustment:<id in adminLog>`.
 */
export const ledger = sqliteTable(
  'ledger',
  {
    ref: text('ref').primaryKey(),
    userId: ofUser(),
    kind: text('kind', {
      enum: ['grant', 'trial', 'use', 'reversal', 'restoration', 'adjustment'],
    }).notNull(),
    /**
     * Signed: grants, trials and restorations are positive, uses and reversals negative; adjustments, which operators make
     * by hand, are either.
     */
    tokens: integer('tokens').notNull(),
    purchaseId: text('purchase_id').references(() => purchases.id),
    usageSessionId: text('usage_session_id'),
    usageMode: text('usage_mode'),
    /** Tokens of the emulator or of test keys never mix with live ones. */
    paymentMode: text('payment_mode', { enum: ['live', 'test', 'emulator'] }).notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('ledger_user').on(table.userId, table.createdAt, table.ref),
    // The few entries that are not uses, for queries that would otherwise read all uses.
    index('ledger_user_other')
      .on(table.userId, table.createdAt, table.ref)
      .where(sql`"kind" <> 'use'`),
    // An entry has a purchase or is a use, a trial or an adjustment, so it is in one of these two at most.
    index('ledger_purchase')
      .on(table.purchaseId)
      .where(sql`"purchase_id" IS NOT NULL`),
    index('ledger_usage_session')
      .on(table.userId, table.usageSessionId)
      .where(sql`"usage_session_id" IS NOT NULL`),
    wholeNumbers('ledger_whole', table.tokens),
    check(
      'ledger_sign',
      sql`(${table.kind} IN ('grant', 'trial', 'restoration') AND ${table.tokens} > 0) OR (${table.kind} IN ('use', 'reversal') AND ${table.tokens} < 0) OR (${table.kind} = 'adjustment' AND ${table.tokens} <> 0)`,
    ),
    check(
      'ledger_source',
      sql`(${table.kind} IN ('use', 'trial', 'adjustment')) = (${table.purchaseId} IS NULL)`,
    ),
  ],
)

/**
 * The sum of the ledger, kept by the triggers `ledger_added`, `ledger_used` and `ledger_reversed` on each insert into it. The
 * CHECK makes overspending impossible: an entry that would take more than is left aborts the whole batch.
 */
export const balances = sqliteTable(
  'balances',
  {
    userId: ofUser(),
    paymentMode: text('payment_mode', { enum: ['live', 'test', 'emulator'] }).notNull(),
    /** Grants, trials, restorations and adjustments less reversals. */
    total: integer('total').notNull(),
    used: integer('used').notNull(),
    /** The total at which the user was notified that few tokens are left; 0 before that, and from the first use after a refill. */
    lowNotifiedTotal: integer('low_notified_total').notNull().default(0),
    /** No longer written. */
    lastRef: text('last_ref'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.paymentMode] }),
    check('balances_used', sql`${table.used} >= 0 AND ${table.used} <= ${table.total}`),
  ],
)

/**
 * The tokens that each purchase, trial and adjustment brought, and how many are left: together, the balance. The triggers
 * `ledger_brought`, `ledger_took` and `ledger_returned` keep it. A use takes from the oldest lots that have tokens, as many as
 * it needs, and so does an adjustment, but from what was not bought first; a reversal takes from, and a restoration gives back to, the lot of its purchase alone.
 */
export const lots = sqliteTable(
  'lots',
  {
    /** In the order of use. */
    number: integer('number').primaryKey(),
    /** The ledger entry that brought it. */
    ref: text('ref')
      .notNull()
      .unique()
      .references(() => ledger.ref),
    /** That of the entry. */
    userId: text('user_id').notNull(),
    paymentMode: text('payment_mode', { enum: ['live', 'test', 'emulator'] }).notNull(),
    purchaseId: text('purchase_id')
      .unique()
      .references(() => purchases.id),
    tokens: integer('tokens').notNull(),
    left: integer('left').notNull(),
  },
  (table) => [
    index('lots_open')
      .on(table.userId, table.paymentMode, table.number)
      .where(sql`"left" > 0`),
    check('lots_left', sql`${table.left} BETWEEN 0 AND ${table.tokens}`),
  ],
)

/**
 * Keyed hashes of the mailboxes and Google accounts that had the trial tokens. They name no account and stay when it is
 * deleted, so that a new one has no second trial.
 */
export const trials = sqliteTable('trials', {
  keyHash: text('key_hash').primaryKey(),
  grantedAt: instant('granted_at').notNull(),
})

/** A conversation in which the assistant helped, as the desktop app reported it. */
export const usageSessions = sqliteTable(
  'usage_sessions',
  {
    userId: ofUser(),
    sessionId: text('session_id').notNull(),
    mode: text('mode', { enum: ['interview', 'meeting', 'sales', 'negotiation'] }).notNull(),
    startedAt: instant('started_at').notNull(),
    endedAt: instant('ended_at'),
    hasSucceeded: flag('has_succeeded'),
    secondsSaved: integer('seconds_saved').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.sessionId] }),
    check('usage_sessions_saved', sql`${table.secondsSaved} BETWEEN 0 AND 86400`),
  ],
)

/**
 * The tokens that a user used on a UTC day in a mode: the sum of the ledger's uses, kept by a trigger, so that a chart
 * reads a few rows a day however many uses there were.
 */
export const usageDays = sqliteTable(
  'usage_days',
  {
    userId: ofUser(),
    paymentMode: text('payment_mode', { enum: ['live', 'test', 'emulator'] }).notNull(),
    /** When the day begins. */
    day: instant('day').notNull(),
    /** The `usageMode` of the uses; '' when the app named none. */
    mode: text('mode').notNull(),
    tokens: integer('tokens').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.paymentMode, table.day, table.mode] })],
)

/** The sums of a user's ended usage sessions, kept by triggers. */
export const usageTotals = sqliteTable('usage_totals', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id),
  completed: integer('completed').notNull(),
  /** Usage sessions that the user has rated, and those among them that helped. */
  rated: integer('rated').notNull(),
  succeeded: integer('succeeded').notNull(),
  secondsSaved: integer('seconds_saved').notNull(),
})
