import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { instant } from './columns.ts'
import { users } from './users.ts'

/**
 * What admins did. Triggers refuse to change or delete a row, and no foreign key binds it, so that it outlives the account
 * it is about.
 */
export const adminLog = sqliteTable(
  'desk_acts',
  {
    /** The token of the form that was sent, so that an action happens once. */
    id: text('id').primaryKey(),
    /** The admin's address; in rows from before the sign-in by Cloudflare Access an account, or `ops:` and a name. */
    admin: text('operator_id').notNull(),
    kind: text('kind').notNull(),
    userId: text('user_id'),
    /** The purchase, mail, alert, flag or submission that it was about. */
    subject: text('subject'),
    reason: text('reason').notNull(),
    /** The sentences of the preview, as a JSON list: what changes, then how the customer is notified. */
    changes: text('changes').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('desk_acts_user').on(table.userId, table.createdAt),
    index('desk_acts_created').on(table.createdAt),
  ],
)

/**
 * Alerts that stay until an admin acknowledges them: one row for each kind, for some kinds one for each payment; the
 * next alert makes another. Triggers keep acknowledged rows from changing and all rows from deletion.
 */
export const alerts = sqliteTable(
  'alarms',
  {
    id: text('id').primaryKey(),
    kind: text('kind').notNull(),
    /** The payment or the job, for kinds of alert that are raised once for each; otherwise empty. */
    subject: text('subject').notNull().default(''),
    firstSeenAt: instant('first_seen_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
    /** How often it was raised. */
    count: integer('count').notNull(),
    /** The facts of the last log line, as JSON; never a secret. */
    fields: text('fields').notNull(),
    /** When a mail about it was last written; null when one of the same kind had just been. */
    mailedAt: instant('mailed_at'),
    /** When the chat's webhook last accepted it. */
    postedAt: instant('posted_at'),
    acknowledgedAt: instant('acknowledged_at'),
    /** The admin's address. */
    acknowledgedBy: text('acknowledged_by'),
  },
  (table) => [
    uniqueIndex('alarms_standing')
      .on(table.kind, table.subject)
      .where(sql`"acknowledged_at" IS NULL`),
    index('alarms_by_age')
      .on(table.firstSeenAt)
      .where(sql`"acknowledged_at" IS NULL`),
    index('alarms_mailed').on(table.kind, table.mailedAt),
    index('alarms_with_facts')
      .on(table.acknowledgedAt)
      .where(sql`"fields" <> '{}'`),
  ],
)

/** The address and access that an admin's correction replaced, kept while it can be undone; at most one per account. */
export const addressCorrections = sqliteTable(
  'address_corrections',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => users.id),
    email: text('email').notNull(),
    emailKey: text('email_key').notNull(),
    emailVerifiedAt: instant('email_verified_at'),
    googleSubject: text('google_subject'),
    correctedAt: instant('corrected_at').notNull(),
  },
  (table) => [index('address_corrections_at').on(table.correctedAt)],
)
