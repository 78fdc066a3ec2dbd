import { sql } from 'drizzle-orm'
import { check, index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { flag, instant } from './columns.ts'
import { ofUser, users } from './users.ts'

/** A signed-in browser or desktop app. The bearer token names this row; ending the row ends the token. */
export const sessions = sqliteTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    userId: ofUser(),
    kind: text('kind', { enum: ['browser', 'desktop'] }).notNull(),
    device: text('device').notNull(),
    ipPrefix: text('ip_prefix').notNull(),
    isRemembered: flag('is_remembered').notNull(),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    endedAt: instant('ended_at'),
    /** When its user last proved who they are: by signing in at a browser, or by a step-up (domain/factors/step-up.ts). */
    confirmedAt: instant('confirmed_at'),
  },
  (table) => [
    index('sessions_user').on(table.userId, table.endedAt),
    index('sessions_device').on(table.userId, table.device),
    index('sessions_desktop')
      .on(table.userId)
      .where(sql`"kind" = 'desktop'`),
    index('sessions_expiry').on(table.expiresAt),
    index('sessions_ended').on(table.endedAt),
    check('sessions_kind', sql`${table.kind} IN ('browser', 'desktop')`),
  ],
)

/** Links mailed to prove an address. Only the SHA-256 of the secret is stored. */
export const mailedLinks = sqliteTable(
  'mailed_links',
  {
    secretHash: text('secret_hash').primaryKey(),
    userId: ofUser(),
    purpose: text('purpose', {
      // 'not_my_factor' is in mails of a time when only those of a further factor took something away.
      enum: ['verify', 'reset', 'not_me', 'not_my_factor', 'refund'],
    }).notNull(),
    /** The address it was mailed to. The link becomes invalid when the account's address changes. */
    emailKey: text('email_key').notNull(),
    /**
     * For "This was not me": whether the account had a second step before the change that the mail reports. Links of a time
     * before this column count as if it had.
     */
    hadSecondStep: flag('had_second_step').notNull().default(true),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
    voidedAt: instant('voided_at'),
  },
  (table) => [
    index('mailed_links_user').on(table.userId, table.purpose),
    index('mailed_links_expiry').on(table.expiresAt),
    check(
      'mailed_links_purpose',
      sql`${table.purpose} IN ('verify', 'reset', 'not_me', 'not_my_factor', 'refund')`,
    ),
  ],
)

/** A desktop app that waits for a user to approve it (RFC 8628). */
export const deviceRequests = sqliteTable(
  'device_requests',
  {
    deviceCodeHash: text('device_code_hash').primaryKey(),
    userCode: text('user_code').notNull(),
    clientName: text('client_name').notNull(),
    userId: text('user_id').references(() => users.id),
    /** The session that decided. Its approval can be redeemed while it is open. */
    sessionId: text('session_id').references(() => sessions.id),
    decision: text('decision', { enum: ['pending', 'approved', 'denied'] }).notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    lastPolledAt: instant('last_polled_at'),
    redeemedAt: instant('redeemed_at'),
  },
  (table) => [
    uniqueIndex('device_requests_user_code').on(table.userCode),
    index('device_requests_expiry').on(table.expiresAt),
    index('device_requests_user').on(table.userId),
    index('device_requests_session').on(table.sessionId),
    check(
      'device_requests_decision',
      sql`(${table.decision} = 'pending') OR (${table.userId} IS NOT NULL AND ${table.decision} IN ('approved', 'denied'))`,
    ),
  ],
)

/**
 * A sign-in that has no session yet: its user returned from Google, or the second step is missing. Only the SHA-256 of the
 * ticket is stored (docs/decisions/0060-google-accounts-join-by-a-verified-address.md, 0062-two-step-sign-in.md). The
 * database has an older name for it (columns.ts).
 */
export const signInTickets = sqliteTable(
  'sign_in_passes',
  {
    ticketHash: text('pass_hash').primaryKey(),
    userId: ofUser(),
    purpose: text('purpose', { enum: ['google', 'second_step'] }).notNull(),
    /** Whether "Remember me" was checked. */
    isRemembered: flag('is_remembered').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    redeemedAt: instant('redeemed_at'),
  },
  (table) => [
    index('sign_in_passes_expiry').on(table.expiresAt),
    index('sign_in_passes_user').on(table.userId),
    check('sign_in_passes_purpose', sql`${table.purpose} IN ('google', 'second_step')`),
  ],
)
