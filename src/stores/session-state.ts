import type { User } from '../contract/account.ts'

/**
 * Who uses this page. `unreachable`: a token is stored but the server cannot be asked; it is kept and
 * asked again (docs/decisions/0030-a-token-is-cleared-only-when-refused.md).
 */
export type SessionState =
  | { status: 'loading'; user: null }
  | { status: 'guest'; user: null }
  | { status: 'unreachable'; user: null }
  | { status: 'signed-in'; user: User }

/** Who a page is for. */
export type Guard = 'signed-in' | 'guest' | 'public'

export const TOKEN_KEY = 'token'
/** In the query of /login: the session ended by itself. */
export const ENDED_PARAMETER = 'ended'
export const NEXT_PARAMETER = 'next'
export const HOME = '/dashboard'
export const LOGIN = '/login'

/** /login, with the way back to where one was. */
export function loginPath(here: { path: string; search: string }, hasEnded: boolean): string {
  const query = new URLSearchParams({ [NEXT_PARAMETER]: here.path + here.search })
  if (hasEnded) query.set(ENDED_PARAMETER, '1')
  return `${LOGIN}?${query}`
}
