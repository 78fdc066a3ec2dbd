import type { Environment } from './environment.ts'

/** The token in the path of a mailed link, /page/{token}. Without one it is an unknown path, and those lead to /. */
export function mailedToken({ here, navigateInstead }: Environment): string | null {
  const token = here().path.split('/')[2] || null
  if (token === null) navigateInstead('/')
  return token
}
