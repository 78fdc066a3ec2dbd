import { sql } from 'drizzle-orm'

/**
 * In SQL, whether the statement just before this one in the batch changed exactly one row. So of two calls at the same
 * moment only the first goes on. It is about that one statement: put no other between the two.
 */
export const previousChangedOne = sql`changes() = 1`
