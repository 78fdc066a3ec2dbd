import { DatabaseBusy, DatabaseUnavailable } from '../db/database-error.ts'

/** Which database fault an error is, for folders that must not import `db`; null for any other error. */
export function databaseFault(error: unknown): 'busy' | 'unavailable' | null {
  if (error instanceof DatabaseBusy) return 'busy'
  if (error instanceof DatabaseUnavailable) return 'unavailable'
  return null
}
