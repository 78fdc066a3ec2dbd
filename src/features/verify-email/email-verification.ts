import { atom } from 'nanostores'
import type { User } from '../../contract/account.ts'
import { TOAST } from '../../contract/messages.ts'
import { VERIFICATION } from '../../contract/session-messages.ts'
import { environment } from '../../lib/environment.ts'
import { mailedToken } from '../../lib/mailed-token.ts'
import { createRedirect } from '../../lib/redirect.ts'
import { session, TOKEN_KEY } from '../session/session.ts'
import { toasts } from '../toasts/toasts.ts'

const VERIFIED_REDIRECT_MS = 3_000

type EmailVerificationState =
  | { step: 'verifying' }
  /** Nobody is known here: a mail scanner that runs scripts may have opened the page, and must not verify. */
  | { step: 'waiting' }
  /** `trialTokens` came with the verification. */
  | { step: 'verified'; email: string; trialTokens: number }
  | { step: 'failed'; message: string }

/** Whether this browser is signed in with another account than the one of the address: its dashboard would say nothing of it. */
export const isOfAnother = (email: string, user: User | null) =>
  user !== null && user.email !== email

/** /verify-email/{token}: verifies when the page opens in a browser with an account, or else once a person uses it. */
export function createEmailVerification() {
  const $verification = atom<EmailVerificationState>({ step: 'verifying' })
  const redirect = createRedirect(() => environment.navigate('/dashboard'))

  async function open() {
    if (environment.storage.getItem(TOKEN_KEY) !== null) await verify()
    else if (mailedToken() !== null) $verification.set({ step: 'waiting' })
  }

  async function verify() {
    if ($verification.get().step === 'verified') return
    $verification.set({ step: 'verifying' })
    const token = mailedToken()
    if (token === null) return
    const params = { token }
    const result = await environment.call('GET /api/auth/verify-email/{token}', { params })
    if (!result.ok) {
      const exception = result.kind === 'network' ? VERIFICATION.expired : VERIFICATION.failed
      // The page shows the server's message.
      if (result.message === '') toasts.error(TOAST.verificationFailed)
      $verification.set({ step: 'failed', message: result.message || exception })
      return
    }
    toasts.success(TOAST.emailVerified)
    const { email, trialTokens } = result.data
    const { user } = await session.whenKnown()
    $verification.set({ step: 'verified', email, trialTokens })
    if (!isOfAnother(email, user)) redirect.startIn(VERIFIED_REDIRECT_MS)
  }

  return { $verification, open, verify, redirect }
}
