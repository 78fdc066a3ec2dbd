import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { flag, instant } from './columns.ts'

/** People. Name and address are kept as typed; the *_key columns make them unique without regard to case. */
export const users = sqliteTable(
  'users',
  {
    id: text('id').primaryKey(),
    username: text('username').notNull(),
    usernameKey: text('username_key').notNull(),
    email: text('email').notNull(),
    /** `emailKeyOf` the address; in older rows `accountKey` (docs/decisions/0153-one-mailbox-has-one-account.md). */
    emailKey: text('email_key').notNull(),
    /** PHC string. Empty, so that no password matches, for accounts without a password and deleted ones. */
    passwordHash: text('password_hash').notNull(),
    /**
     * True when the password was set with a link mailed to the address. The address may not belong to the person who
     * registered it.
     */
    isPasswordVerified: flag('is_password_proven').notNull().default(false),
    firstName: text('first_name'),
    lastName: text('last_name'),
    phone: text('phone'),
    bio: text('bio'),
    theme: text('theme', { enum: ['system', 'light', 'dark'] })
      .notNull()
      .default('system'),
    currency: text('currency', { enum: ['USD', 'INR'] })
      .notNull()
      .default('USD'),
    mailReminders: flag('mail_reminders').notNull().default(true),
    /** Billing details as JSON (src/contract/billing.ts). */
    billing: text('billing'),
    /** The subject of a Google account joined to this one. */
    googleSubject: text('google_subject'),
    /**
     * The version of the terms that was accepted and when, and the version that a mail announced
     * (domain/account/terms.ts).
     */
    termsVersion: text('terms_version').notNull(),
    termsAcceptedAt: instant('terms_accepted_at').notNull(),
    termsAnnouncedVersion: text('terms_told_version').notNull(),
    termsAnnouncedAt: instant('terms_told_at').notNull(),
    emailVerifiedAt: instant('email_verified_at'),
    noticesReadAt: instant('notices_read_at').notNull().default(0),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    deletedAt: instant('deleted_at'),
    /** When an operator suspended the account: no session opens, and open ones are rejected. */
    suspendedAt: instant('suspended_at'),
    /** When its user said "This was not me": no session opens until a mailed link sets a new password. */
    lockedAt: instant('locked_at'),
    /**
     * Counts the changes of the account's money: opening a purchase, settling, requesting a refund, days that admins add, and
     * deletion. Uses of tokens do not count. Of two changes that were decided on the same rows, the second is rejected (save.ts).
     */
    moneyVersion: integer('money_version').notNull().default(0),
  },
  (table) => [
    uniqueIndex('users_username_key').on(table.usernameKey),
    uniqueIndex('users_email_key').on(table.emailKey),
    uniqueIndex('users_google_subject').on(table.googleSubject),
    index('users_terms_told').on(table.termsAnnouncedVersion),
    check('users_currency', sql`${table.currency} IN ('USD', 'INR')`),
    check('users_theme', sql`${table.theme} IN ('system', 'light', 'dark')`),
  ],
)

/** A column of the account that a row belongs to. */
export const ofUser = () =>
  text('user_id')
    .notNull()
    .references(() => users.id)
