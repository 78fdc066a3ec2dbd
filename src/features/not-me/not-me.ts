import { atom } from 'nanostores'
import { NOT_ME } from '../../contract/messages.ts'
import { sentenceOf } from '../../api/failure-text.ts'
import { environment } from '../../lib/environment.ts'
import { tokenInPath } from '../../lib/mailed-token.ts'
import { session } from '../session/session.ts'

type NotMeState =
  | { step: 'asking'; isSending: boolean; problem: string | null }
  | { step: 'done'; message: string }
  | { step: 'refused'; message: string }

/**
 * /not-me/{token}: locks the account when the button is pressed, not when the page opens. Somebody whose link was cut off learns that
 * nothing was locked; no redirect would say so.
 */
export function createNotMe() {
  const $notMe = atom<NotMeState>({ step: 'asking', isSending: false, problem: null })

  /** Call when the page opens: says so when the link was cut off. */
  function check() {
    if (tokenInPath() === null) $notMe.set({ step: 'refused', message: NOT_ME.incomplete })
  }

  async function lock() {
    const token = tokenInPath()
    if (token === null) return
    $notMe.set({ step: 'asking', isSending: true, problem: null })
    const result = await environment.call('POST /api/auth/not-me/{token}', { params: { token } })
    if (result.ok) {
      $notMe.set({ step: 'done', message: result.data.message ?? NOT_ME.done })
      // This browser's session was ended too, if it was one of the account; then the answer is a 401.
      await session.start()
    } else if (result.code === 'LINK_INVALID') {
      $notMe.set({ step: 'refused', message: result.message })
    } else $notMe.set({ step: 'asking', isSending: false, problem: sentenceOf(result) })
  }

  return { $notMe, check, lock }
}
