import { getTableColumns, is, SQL, sql, StringChunk } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'

type Values<Table extends SQLiteTable> = {
  [Column in keyof Table['$inferInsert']]: Table['$inferInsert'][Column] | SQL
}

const COMMA = new StringChunk(', ')

/**
 * `INSERT INTO … SELECT`: a row for each row of `source`, or none. A value is an expression over `source` or a
 * constant. `source` is a FROM or WHERE clause; it needs a WHERE so that an `ON CONFLICT` can follow.
 */
export function insertFrom<Table extends SQLiteTable>(
  table: Table,
  values: Values<Table>,
  source: SQL,
): SQL {
  const given = new Map<string, unknown>(Object.entries(values))
  const names: string[] = []
  const selected: SQL['queryChunks'] = []
  for (const [key, column] of Object.entries(getTableColumns(table))) {
    const value = given.get(key)
    if (value === undefined) continue
    names.push(`"${column.name}"`)
    selected.push(is(value, SQL) ? value : sql.param(value, column))
  }
  // Few chunks, because drizzle takes longer to join them than the database takes to run them.
  return sql`INSERT INTO ${table} (${sql.raw(names.join(', '))}) SELECT ${sql.join(selected, COMMA)} ${source}`
}

/**
 * In SQL, whether the statement just before this one in the batch changed exactly one row. If two calls redeem one code at
 * the same moment, the UPDATE of the first changes one row and that of the second none, so only the first opens a session.
 * Put no other statement between the two.
 */
export const previousChangedOne = sql`changes() = 1`
