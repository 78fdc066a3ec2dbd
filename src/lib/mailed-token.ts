import { environment } from './environment.ts'

/** The token in the path of a mailed link, /page/{token}; null when there is none. */
export const tokenInPath = (): string | null => environment.here().path.split('/')[2] || null

/** The same. A path without one is unknown, and leads to / as those do. */
export function mailedToken(): string | null {
  const token = tokenInPath()
  if (token === null) environment.navigateInstead('/')
  return token
}
