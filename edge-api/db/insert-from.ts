import { getTableColumns, is, SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'

type Values<Table extends SQLiteTable> = {
  [Column in keyof Table['$inferInsert']]: Table['$inferInsert'][Column] | SQL
}

/**
 * `INSERT INTO … SELECT`: a row for each row of `source`, or none. A value is an expression over `source` or a
 * constant. `source` is a FROM or WHERE clause; it needs a WHERE so that an `ON CONFLICT` can follow.
 */
export function insertFrom<Table extends SQLiteTable>(
  table: Table,
  values: Values<Table>,
  source: SQL,
): SQL {
  const columns = Object.entries(getTableColumns(table)).flatMap(([name, column]) => {
    const value: unknown = Object.entries(values).find(([key]) => key === name)?.[1]
    if (value === undefined) return []
    return [{ column, value: is(value, SQL) ? value : sql.param(value, column) }]
  })
  const names = columns.map(({ column }) => sql.identifier(column.name))
  const selected = columns.map(({ value }) => value)
  return sql`INSERT INTO ${table} (${sql.join(names, sql`, `)}) SELECT ${sql.join(selected, sql`, `)} ${source}`
}
