import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { instant } from './columns.ts'

/**
 * What operators did at the desk. Triggers refuse to change or delete a row, and no foreign key binds it, so that it
 * outlives the account it is about.
 */
export const deskActs = sqliteTable(
  'desk_acts',
  {
    id: text('id').primaryKey(),
    operatorId: text('operator_id').notNull(),
    kind: text('kind').notNull(),
    userId: text('user_id'),
    /** The purchase or mail that it was about. */
    subject: text('subject'),
    reason: text('reason').notNull(),
    /** The sentences of the preview, as a JSON list. */
    changes: text('changes').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('desk_acts_user').on(table.userId, table.createdAt),
    index('desk_acts_created').on(table.createdAt),
  ],
)
