import { environment } from './environment.ts'

/** The token in the path of a mailed link, /page/{token}. Without one it is an unknown path, and those lead to /. */
export function mailedToken(): string | null {
  const token = environment.here().path.split('/')[2] || null
  if (token === null) environment.navigateInstead('/')
  return token
}
