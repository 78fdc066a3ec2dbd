import { atom } from 'nanostores'
import { VERIFICATION } from '../../contract/messages.ts'
import { sentenceOf } from '../../api/failure-text.ts'
import { session } from '../session/session.ts'
import { toasts } from '../toasts/toasts.ts'

type ResendState = 'ready' | 'sending' | 'sent'

/** "Send again" on the banner that asks to verify the address. */
export function createResend() {
  const $resend = atom<ResendState>('ready')

  async function sendAgain() {
    if ($resend.get() !== 'ready') return
    $resend.set('sending')
    const result = await session.call('POST /api/auth/resend-verification', {})
    $resend.set(result.ok ? 'sent' : 'ready')
    if (result.ok) toasts.success(result.data.message ?? VERIFICATION.sentAgain)
    else toasts.error(sentenceOf(result))
  }

  return { $resend, sendAgain }
}
