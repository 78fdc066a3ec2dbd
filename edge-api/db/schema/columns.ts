import { integer } from 'drizzle-orm/sqlite-core'

/** An instant: milliseconds since 1970 UTC. One encoding for the whole database. */
export const instant = (name: string) => integer(name)

/** A yes or no, stored as 1 or 0. */
export const flag = (name: string) => integer(name, { mode: 'boolean' })
