import { atom } from 'nanostores'
import type { CallResult } from '../../api/call-endpoint.ts'
import { AUTH } from '../../contract/messages.ts'
import { sentenceOf } from '../../api/failure-text.ts'
import { stepUp } from '../factors/step-up.ts'
import { createResource } from '../resource/resource.ts'
import { session } from '../session/session.ts'
import { toasts } from '../toasts/toasts.ts'

/** The account's sessions and sign-in history, and ending sessions. */
export function createSessionList() {
  const sessions = createResource(() => session.call('GET /api/auth/sessions', {}))
  const history = createResource(() => session.call('GET /api/auth/sign-ins', {}))
  /** The id of the session that the user is ending, 'others', or null. */
  const $ending = atom<string | null>(null)

  async function end(ending: string, send: () => Promise<CallResult<unknown>>, done: string) {
    if ($ending.get() !== null) return
    $ending.set(ending)
    const result = await send()
    $ending.set(null)
    if (result.ok) toasts.success(done)
    else toasts.error(sentenceOf(result))
    await sessions.load()
  }

  return {
    sessions,
    history,
    $ending,
    load: () => Promise.all([sessions.load(), history.load()]),
    end: (id: string) =>
      end(
        id,
        () => stepUp.call('DELETE /api/auth/sessions/{id}', { params: { id } }),
        AUTH.sessionEnded,
      ),
    endOthers: () =>
      end(
        'others',
        () => stepUp.call('POST /api/auth/sessions/end-others', {}),
        AUTH.otherSessionsEnded,
      ),
  }
}
