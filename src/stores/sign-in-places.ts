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
export function createSignInPlaces({ session, toasts }: StoreDeps) {
  const places = createResource(() => session.call(sessionsEndpoint, {}))
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
    await places.load()
  }

  async function endOthers() {
    if ($ending.get() !== null) return
    $ending.set('others')
    const result = await session.call(endOtherSessionsEndpoint, {})
    $ending.set(null)
    if (result.ok) toasts.success(AUTH.otherSessionsEnded)
    else toasts.error(sentenceOf(result))
    await places.load()
  }

  return {
    $places: places.$resource,
    $history: history.$resource,
    $ending,
    load: () => Promise.all([places.load(), history.load()]),
    end,
    endOthers,
  }
}
