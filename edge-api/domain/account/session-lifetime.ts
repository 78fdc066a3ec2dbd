import {
  DESKTOP_IDLE_DAYS,
  DESKTOP_SESSION_DAYS,
  SESSION_HOURS,
  SESSION_REMEMBERED_DAYS,
} from '../../../src/contract/limits.ts'
import type { sessions } from '../../db/schema/sessions.ts'
import { days, hours } from '../time.ts'

type Begun = Pick<typeof sessions.$inferSelect, 'kind' | 'isRemembered' | 'createdAt'>

/**
 * When a session ends that was last used at `usedAt`; milliseconds UTC. A browser's ends a fixed time after the sign-in,
 * as the specification says. A desktop app's slides with use
 * (docs/decisions/0119-the-session-of-an-app-slides-with-use.md).
 */
export function sessionEnd(session: Begun, usedAt: number): number {
  if (session.kind === 'browser') return latestEnd(session)
  return Math.min(latestEnd(session), usedAt + days(DESKTOP_IDLE_DAYS))
}

/** When a session ends however often it is used: so long is its bearer token signed for. Milliseconds UTC. */
export function latestEnd({ kind, isRemembered, createdAt }: Begun): number {
  if (kind === 'desktop') return createdAt + days(DESKTOP_SESSION_DAYS)
  return createdAt + (isRemembered ? days(SESSION_REMEMBERED_DAYS) : hours(SESSION_HOURS))
}
