import { atom } from 'nanostores'
import { NOT_ME } from '../../contract/messages.ts'
import { sentenceOf } from '../../api/failure-text.ts'
import { environment } from '../../lib/environment.ts'
import { mailedToken } from '../../lib/mailed-token.ts'
import { session } from '../session/session.ts'

type NotMeState =
  | { step: 'asking'; isSending: boolean; problem: string | null }
  | { step: 'done'; message: string }
  | { step: 'refused'; message: string }

/** /not-me/{token}: locks the account when the button is pressed, not when the page opens. */
export function createNotMe() {
  const $notMe = atom<NotMeState>({ step: 'asking', isSending: false, problem: null })

  async function lock() {
    const token = mailedToken()
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

  return { $notMe, lock }
}
