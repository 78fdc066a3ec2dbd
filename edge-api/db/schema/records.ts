import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag, instant } from './columns.ts'
import { users } from './users.ts'

/**
 * The outbox: mail to be sent, written in the batch of the change that causes it and rendered when it is delivered.
 * `claimedUntil` is the lease of the run that is sending it.
 */
export const mails = sqliteTable(
  'mails',
  {
    id: text('id').primaryKey(),
    userId: text('user_id').references(() => users.id),
    kind: text('kind').notNull(),
    toAddress: text('to_address').notNull(),
    /** The facts of the mail, as JSON (domain/mail has a schema for each kind). A `secret` is wiped once sent. */
    payload: text('payload').notNull(),
    createdAt: instant('created_at').notNull(),
    /** When to try next; null once it was sent or given up. */
    dueAt: instant('due_at'),
    attempts: integer('attempts').notNull().default(0),
    claimedUntil: instant('claimed_until'),
    sentAt: instant('sent_at'),
    failedAt: instant('failed_at'),
    lastError: text('last_error'),
  },
  (table) => [
    // Only unsent mail: otherwise a search for mail that was sent would read all of it here.
    index('mails_due')
      .on(table.dueAt)
      .where(sql`"due_at" IS NOT NULL`),
    index('mails_created').on(table.createdAt),
    index('mails_waiting')
      .on(table.createdAt)
      .where(sql`"due_at" IS NOT NULL`),
    index('mails_sent').on(table.sentAt),
    index('mails_failed')
      .on(table.failedAt)
      .where(sql`"failed_at" IS NOT NULL`),
    index('mails_user').on(table.userId),
  ],
)

/**
 * Security and money events of an account: the audit trail, the sign-in history and the bell in one.
 * No foreign key, so that events outlive the rows they are about.
 */
export const accountEvents = sqliteTable(
  'account_events',
  {
    id: text('id').primaryKey(),
    userId: text('user_id'),
    kind: text('kind').notNull(),
    /** The data for the event's sentence, as JSON; never a secret. */
    detail: text('detail').notNull().default('{}'),
    device: text('device'),
    ipPrefix: text('ip_prefix'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('account_events_user').on(table.userId, table.createdAt),
    index('account_events_kind').on(table.userId, table.kind, table.createdAt),
    index('account_events_created').on(table.createdAt),
  ],
)

export const supportTickets = sqliteTable(
  'support_tickets',
  {
    number: integer('number').primaryKey({ autoIncrement: true }),
    id: text('id').notNull().unique(),
    email: text('email').notNull(),
    severity: text('severity', { enum: ['low', 'medium', 'high'] }).notNull(),
    isFeatureRequest: flag('is_feature_request').notNull(),
    query: text('query').notNull(),
    createdAt: instant('created_at').notNull(),
    state: text('state', { enum: ['new', 'waiting', 'answered', 'closed'] })
      .notNull()
      .default('new'),
  },
  (table) => [
    index('support_tickets_state').on(table.state, table.createdAt),
    index('support_tickets_open')
      .on(table.number)
      .where(sql`"state" <> 'closed'`),
    index('support_tickets_email').on(sql`lower("email")`),
    check('support_tickets_severity', sql`${table.severity} IN ('low', 'medium', 'high')`),
  ],
)

export const jobApplications = sqliteTable(
  'job_applications',
  {
    number: integer('number').primaryKey({ autoIncrement: true }),
    id: text('id').notNull().unique(),
    jobId: text('job_id').notNull(),
    fullName: text('full_name').notNull(),
    email: text('email').notNull(),
    phone: text('phone').notNull(),
    linkedinUrl: text('linkedin_url').notNull(),
    githubUrl: text('github_url').notNull(),
    resumeUrl: text('resume_url').notNull(),
    currentLocation: text('current_location').notNull(),
    workingCountry: text('working_country').notNull(),
    workAuthorization: text('work_authorization').notNull(),
    remotePreference: text('remote_preference').notNull(),
    experience: text('experience').notNull(),
    whyJoin: text('why_join').notNull(),
    createdAt: instant('created_at').notNull(),
    state: text('state', { enum: ['new', 'in_talks', 'accepted', 'declined', 'withdrawn'] })
      .notNull()
      .default('new'),
    /** When it was done; null while it is open. The purge counts from it. `state` is of before, and is no longer written. */
    decidedAt: instant('decided_at'),
  },
  (table) => [
    index('job_applications_email').on(sql`lower("email")`),
    index('job_applications_state').on(table.state, table.createdAt),
    index('job_applications_job').on(table.jobId, table.state, table.createdAt),
    index('job_applications_open')
      .on(table.number)
      .where(sql`"decided_at" IS NULL`),
    index('job_applications_decided')
      .on(table.decidedAt)
      .where(sql`"decided_at" IS NOT NULL`),
  ],
)

/** How often something happened to somebody on a day, for limits that outlast a minute (domain/account/daily-limit.ts). */
export const dailyCounts = sqliteTable(
  'daily_counts',
  {
    /**
     * A keyed hash of the kind, the day and the counted person or network: without our secrets, nobody can find out who it
     * is.
     */
    keyHash: text('key_hash').primaryKey(),
    kind: text('kind').notNull(),
    /** Days since 1970 UTC. */
    day: integer('day').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [index('daily_counts_day').on(table.day)],
)
