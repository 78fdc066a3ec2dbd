import { atom } from 'nanostores'
import { sentenceOf } from '../../api/failure-text.ts'
import { VERIFICATION } from '../../contract/session-messages.ts'
import { createLastPurchases } from '../purchase-list/last-purchases.ts'
import { createResource } from '../resource/resource.ts'
import { session } from '../session/session.ts'
import { toasts } from '../toasts/toasts.ts'

const USAGE_DAYS = 30

/** Tokens used per day, and the totals of the usage sessions. */
export const usage = createResource(() =>
  session.call('GET /api/usage', { query: { days: USAGE_DAYS } }),
)
export const purchases = createLastPurchases()
export const resend = createResend()

/** Loads anew what the page shows besides the user; each part loads first when it is shown. */
export function reloadDashboard() {
  void usage.load()
  void purchases.load()
}

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
