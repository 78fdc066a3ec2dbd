import { atom } from 'nanostores'
import type { CallResult } from '../../api/call-endpoint.ts'
import { ID_PATTERN } from '../../contract/limits.ts'
import { PURCHASE } from '../../contract/messages.ts'
import type { Settlement } from '../../contract/purchase.ts'
import { environment } from '../../lib/environment.ts'
import { session, TOKEN_KEY } from '../session/session.ts'

const COUNTDOWN_SECONDS = 5
const RECHECK_MS = 3_000

type ConfirmationState =
  | { step: 'verifying' }
  /** `secondsLeft` until the dashboard opens; null when the user stays. */
  | { step: 'success'; message: string; isConfirmed: boolean; secondsLeft: number | null }
  /** The payment was refunded. */
  | { step: 'refunded' }
  | { step: 'error'; message: string }

type Found = CallResult<{ status: Settlement }> | 'no-token' | 'nothing-to-confirm'

export const CONFIRMED = 'Your payment is confirmed and your tokens are in your account.'

/** /subscription/success: confirms the purchase in the query, then opens the dashboard. */
export function createPurchaseConfirmation() {
  const $confirmation = atom<ConfirmationState>({ step: 'verifying' })

  async function confirm() {
    const parameters = readParameters(environment.here().search)
    show(await ask(parameters), parameters)
  }

  function show(found: Found, parameters: Parameters) {
    if (found === 'no-token') fail(PURCHASE.noTokenForActivation)
    else if (found === 'nothing-to-confirm' || isUnknown(found)) fail(PURCHASE.notFound)
    else if (found.ok && found.data.status === 'review') fail(PURCHASE.needsReview)
    else if (found.ok && found.data.status === 'failed') fail(PURCHASE.notPaid)
    else if (found.ok && found.data.status === 'refunded') $confirmation.set({ step: 'refunded' })
    else {
      const isPaid = found.ok && found.data.status === 'paid'
      succeed(isPaid)
      if (!isPaid) {
        environment.clock.after(RECHECK_MS, () => void recheck(parameters.orderId))
      }
    }
  }

  function fail(message: string) {
    $confirmation.set({ step: 'error', message })
  }

  /** Shows success even before the payment is confirmed, as the specification requires; the message then differs. */
  function succeed(isConfirmed: boolean) {
    const message = isConfirmed ? CONFIRMED : PURCHASE.processing
    $confirmation.set({ step: 'success', message, isConfirmed, secondsLeft: COUNTDOWN_SECONDS })
    tick()
  }

  function tick() {
    environment.clock.after(1_000, () => {
      const state = $confirmation.get()
      if (state.step !== 'success' || state.secondsLeft === null) return
      const secondsLeft = state.secondsLeft - 1
      $confirmation.set({ ...state, secondsLeft })
      if (secondsLeft > 0) tick()
      else environment.navigateInstead('/dashboard')
    })
  }

  function stay() {
    const state = $confirmation.get()
    if (state.step === 'success') $confirmation.set({ ...state, secondsLeft: null })
  }

  async function recheck(orderId: string | null) {
    const current = await session.call('GET /api/subscription/current', {})
    const isActive = current.ok && current.data.subscription.status === 'active'
    // A token pack is bought while a plan is active, so the purchase itself has to be paid too.
    const found = orderId === null ? null : await statusOf(orderId)
    const isPaid = found === null || (found.ok && found.data.status === 'paid')
    const state = $confirmation.get()
    if (!isActive || !isPaid || state.step !== 'success') return
    $confirmation.set({ ...state, message: CONFIRMED, isConfirmed: true })
  }

  return { $confirmation, confirm, stay }
}

interface Parameters {
  orderId: string | null
  paymentId: string | null
  signature: string | null
  subscriptionId: string | null
}

function readParameters(search: string): Parameters {
  const query = new URLSearchParams(search)
  // A parameter without a value counts as missing.
  const read = (name: string) => query.get(name) || null
  return {
    orderId: read('order_id'),
    paymentId: read('payment_id'),
    signature: read('signature'),
    subscriptionId: read('subscription_id'),
  }
}

/** Confirms a signed order without a session; a subscription id alone needs one. */
async function ask({ orderId, paymentId, signature, subscriptionId }: Parameters): Promise<Found> {
  if (orderId !== null && paymentId !== null && signature !== null) {
    const body = { orderId, paymentId, signature }
    const answer = await environment.call('POST /api/payment/activate-order-public', { body })
    // The server answers "pending" for unknown orders too; only the buyer's session can tell the difference.
    return answer.ok && answer.data.status === 'pending' ? statusOf(orderId) : answer
  }
  if (orderId !== null) return statusOf(orderId)
  if (subscriptionId === null) return 'nothing-to-confirm'
  if (environment.storage.getItem(TOKEN_KEY) === null) return 'no-token'
  const answer = await session.call('POST /api/payment/activate-subscription-immediate', {})
  // It answers for the newest purchase, whatever its status. Who came back from a payment link may have paid an older one.
  const isAnother = answer.ok && answer.data.status !== 'paid' && ID_PATTERN.test(subscriptionId)
  return isAnother ? statusOf(subscriptionId) : answer
}

async function statusOf(id: string): Promise<CallResult<{ status: Settlement }>> {
  const result = await session.call('GET /api/payment/status/{id}', { params: { id } })
  return result.ok ? { ok: true, data: { status: result.data.payment.settlement } } : result
}

function isUnknown(found: CallResult<unknown>): boolean {
  return !found.ok && (found.code === 'NOT_FOUND' || found.code === 'VALIDATION_FAILED')
}
