import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag, instant } from './columns.ts'

/**
 * What admins wrote about a ticket or an application until answers went by mail; nothing is added. No foreign key, because it
 * belongs to either; deleting a submission deletes its entries (domain/data-rights/find-submissions.ts).
 */
export const submissionEntries = sqliteTable(
  'submission_entries',
  {
    id: text('id').primaryKey(),
    submissionId: text('submission_id').notNull(),
    kind: text('kind', { enum: ['note', 'answer', 'state'] }).notNull(),
    /** The words, or the name of the new state. */
    text: text('text').notNull(),
    operatorId: text('operator_id').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('submission_entries_of').on(table.submissionId, table.createdAt)],
)

/** Saved answers of before. No code reads them: the next release drops the table. */
export const savedAnswers = sqliteTable('saved_answers', {
  id: text('id').primaryKey(),
  about: text('about').notNull(),
  title: text('title').notNull(),
  text: text('text').notNull(),
  updatedAt: instant('updated_at').notNull(),
})

/** What admins turn on and off without a deployment. A flag without a row has its default. */
export const flags = sqliteTable('switches', {
  name: text('name', { enum: ['announcement', 'trial', 'sales'] }).primaryKey(),
  isOn: flag('is_on').notNull(),
  /** The words of the announcement; '' for the others. */
  text: text('text').notNull(),
  /** When the announcement ends by itself. */
  until: instant('until'),
  changedAt: instant('changed_at').notNull(),
  /** How often it was changed, by which browsers tell whether an announcement is new. */
  version: integer('version').notNull(),
})
