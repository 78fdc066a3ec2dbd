import { atom } from 'nanostores'
import type { CallEndpoint } from '../../api/call-endpoint.ts'
import type { RefundQuote } from '../../contract/refund.ts'
import { sentenceOf } from '../../api/failure-text.ts'
import { stepUp } from '../factors/step-up.ts'
import { session } from '../session/session.ts'

type WithdrawalState =
  | { step: 'closed' }
  | { step: 'loading' }
  | { step: 'failed'; problem: string }
  /** The sum, before the user asks for it. `problem` says why the last try failed. */
  | { step: 'quote'; refund: RefundQuote; isBusy: boolean; problem: string | null }
  | { step: 'link-sent'; refund: RefundQuote }
  | { step: 'asked'; refund: RefundQuote }

interface WithdrawalDeps {
  onAsked: () => void
}

/** Withdrawing from a purchase: shows the sum, asks who the user is, asks for the refund. */
export function createWithdrawal({ onAsked }: WithdrawalDeps) {
  const $withdrawal = atom<WithdrawalState>({ step: 'closed' })
  /** The secret of the mailed link that the user followed. */
  let secret: string | undefined
  let latest = 0

  async function show(purchaseId: string, problem: string | null) {
    latest += 1
    const turn = latest
    const result = await session.call('GET /api/payment/refunds/{purchaseId}', {
      params: { purchaseId },
    })
    // Ignores the sum of a purchase when the user has moved to another one.
    if (turn !== latest || $withdrawal.get().step === 'closed') return
    if (!result.ok) $withdrawal.set({ step: 'failed', problem: sentenceOf(result) })
    else {
      const { refund } = result.data
      $withdrawal.set(
        refund.askedAt === null
          ? { step: 'quote', refund, isBusy: false, problem }
          : { step: 'asked', refund },
      )
    }
  }

  async function open(purchaseId: string, mailedSecret?: string) {
    secret = mailedSecret
    $withdrawal.set({ step: 'loading' })
    await show(purchaseId, null)
  }

  const request = (send: CallEndpoint, { purchaseId, amount }: RefundQuote) =>
    send('POST /api/payment/refunds/{purchaseId}', {
      params: { purchaseId },
      body: secret === undefined ? { amount } : { amount, secret },
    })

  async function confirm() {
    const state = $withdrawal.get()
    if (state.step !== 'quote' || state.isBusy) return
    const { refund } = state
    $withdrawal.set({ ...state, isBusy: true, problem: null })
    const result = await request(session.call, refund)
    if (result.ok || result.code !== 'STEP_UP_REQUIRED') await finish(refund, result)
    else if (!(await mailLink(refund))) await finish(refund, await request(stepUp.call, refund))
  }

  /** The server mails a link to accounts that have neither password nor second step, and refuses all others. */
  async function mailLink(refund: RefundQuote): Promise<boolean> {
    const params = { purchaseId: refund.purchaseId }
    const { ok } = await session.call('POST /api/payment/refunds/{purchaseId}/link', { params })
    if (ok) $withdrawal.set({ step: 'link-sent', refund })
    return ok
  }

  async function finish(refund: RefundQuote, result: Awaited<ReturnType<typeof request>>) {
    if (result.ok) {
      $withdrawal.set({ step: 'asked', refund: result.data.refund })
      onAsked()
    } else if (result.code === 'AMOUNT_MISMATCH') await show(refund.purchaseId, result.message)
    else $withdrawal.set({ step: 'quote', refund, isBusy: false, problem: sentenceOf(result) })
  }

  return {
    $withdrawal,
    open,
    confirm,
    close: () => $withdrawal.set({ step: 'closed' }),
  }
}
