import { resendVerificationEndpoint } from '../contract/credential.ts'
import { VERIFICATION } from '../contract/messages.ts'
import { usageEndpoint } from '../contract/usage.ts'
import { atom } from 'nanostores'
import { sentenceOf } from './outcome.ts'
import { createResource } from './resource.ts'
import type { Session } from './session.ts'
import type { Toasts } from './toasts.ts'

export const USAGE_DAYS = 30

/** Tokens per day and what the assistant's sessions came to. */
export function createUsage(session: Session) {
  const usage = createResource(() => session.call(usageEndpoint, { query: { days: USAGE_DAYS } }))
  return { $usage: usage.$resource, load: usage.load }
}

export type ResendState = 'ready' | 'sending' | 'sent'

/** "Send again" on the banner of an address that is not verified yet. */
export function createResend(session: Session, toasts: Toasts) {
  const $resend = atom<ResendState>('ready')

  async function sendAgain() {
    if ($resend.get() !== 'ready') return
    $resend.set('sending')
    const result = await session.call(resendVerificationEndpoint, {})
    $resend.set(result.ok ? 'sent' : 'ready')
    if (result.ok) toasts.success(result.data.message ?? VERIFICATION.sentAgain)
    else toasts.error(sentenceOf(result))
  }

  return { $resend, sendAgain }
}
