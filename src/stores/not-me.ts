import { atom } from 'nanostores'
import { NOT_ME } from '../contract/messages.ts'
import { sentenceOf } from './failure-text.ts'
import { mailedToken } from './mailed-token.ts'
import type { StoreDeps } from './session.ts'

type NotMeState =
  | { step: 'asking'; isSending: boolean; problem: string | null }
  | { step: 'done'; message: string }
  | { step: 'refused'; message: string }

/** /not-me/{token}: locks the account when the button is pressed, not when the page opens. */
export function createNotMe({ environment, session }: StoreDeps) {
  const $notMe = atom<NotMeState>({ step: 'asking', isSending: false, problem: null })

  async function lock() {
    const token = mailedToken(environment)
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
