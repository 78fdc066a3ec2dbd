import { DatabaseBusy, DatabaseUnavailable } from '../db/database-error.ts'

/** What kind of trouble the database is in, for those who may not know the database. */
export function databaseFault(error: unknown): 'busy' | 'unavailable' | null {
  if (error instanceof DatabaseBusy) return 'busy'
  if (error instanceof DatabaseUnavailable) return 'unavailable'
  return null
}
