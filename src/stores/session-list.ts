import { atom } from 'nanostores'
import { AUTH } from '../contract/messages.ts'
import { signInHistoryEndpoint } from '../contract/notice.ts'
import {
  endOtherSessionsEndpoint,
  endSessionEndpoint,
  sessionsEndpoint,
} from '../contract/session.ts'
import { sentenceOf } from './failure-text.ts'
import { createResource } from './resource.ts'
import type { StoreDeps } from './session.ts'

/** The account's sessions and sign-in history, and ending sessions. */
export function createSessionList({ session, toasts }: StoreDeps) {
  const sessions = createResource(() => session.call(sessionsEndpoint, {}))
  const history = createResource(() => session.call(signInHistoryEndpoint, {}))
  /** The id of the session that is being ended, 'others', or null. */
  const $ending = atom<string | null>(null)

  async function end(id: string) {
    if ($ending.get() !== null) return
    $ending.set(id)
    const result = await session.call(endSessionEndpoint, { params: { id } })
    $ending.set(null)
    if (result.ok) toasts.success(AUTH.sessionEnded)
    else toasts.error(sentenceOf(result))
    await sessions.load()
  }

  async function endOthers() {
    if ($ending.get() !== null) return
    $ending.set('others')
    const result = await session.call(endOtherSessionsEndpoint, {})
    $ending.set(null)
    if (result.ok) toasts.success(AUTH.otherSessionsEnded)
    else toasts.error(sentenceOf(result))
    await sessions.load()
  }

  return {
    $sessions: sessions.$resource,
    $history: history.$resource,
    $ending,
    load: () => Promise.all([sessions.load(), history.load()]),
    end,
    endOthers,
  }
}
