import { type Column, sql } from 'drizzle-orm'
import { check, integer } from 'drizzle-orm/sqlite-core'

/** An instant: milliseconds since 1970 UTC. One encoding for the whole database. */
export const instant = (name: string) => integer(name)

/** A boolean, stored as 1 or 0. */
export const flag = (name: string) => integer(name, { mode: 'boolean' })

/** A constraint that these columns hold whole numbers: SQLite stores 0.5 in an integer column without complaint. */
export const wholeNumbers = (name: string, ...columns: Column[]) =>
  check(
    name,
    sql.join(
      columns.map((column) => sql`typeof(${column}) = 'integer'`),
      sql` AND `,
    ),
  )
