import type { WritableAtom } from 'nanostores'
import type { CallFailure, CallResult } from '../../api/call-endpoint.ts'
import { PURCHASE } from '../../contract/messages.ts'
import type { Checkout, CheckoutProof } from '../../contract/purchase.ts'
import { confirmingText } from '../purchase-list/confirming.ts'
import { session } from '../session/session.ts'
import { isPurchasePaid, pollUntilPaid, runCheckout } from './checkout.ts'
import { environment } from '../../lib/environment.ts'
import { nextStepOf } from '../../api/failure-text.ts'
import { isBusy, isQuestion, type PurchaseStep, stopped } from './purchase-step.ts'

/** Milliseconds before each poll while no payment window is open: about a minute in all. */
const CLOSED_POLL_MS = [2_000, 4_000, 8_000, 16_000, 30_000]

/** `place`: the server must know first where the buyer is, and this is its guess, perhaps empty. */
export type OrderResult =
  | { ok: true; checkout: Checkout }
  | { ok: false; message: string; nextStep?: string | undefined; place?: string | undefined }

/** Whether our server confirmed a payment; `left` when the browser leaves for another page. */
export type Confirmation = 'paid' | 'left' | { shown: PurchaseStep; mayStillArrive: boolean }

/**
 * Whether our server rejected a proof. Otherwise the payment may be genuine, and the webhook confirms it: for example when others
 * of the same network made too many calls, or the session has ended.
 */
export const isRejected = ({ kind, code }: CallFailure) =>
  kind === 'refused' && code !== 'RATE_LIMITED'

type PlaceOrder = () => Promise<OrderResult>

interface PurchaseFlowDeps {
  $purchase: WritableAtom<PurchaseStep>
  /** The line below the seller's name in the payment window. */
  describe: (checkout: Checkout) => string
  /** Sends the payment window's proof of a payment to our server. */
  confirm: (proof: CheckoutProof, checkout: Checkout) => Promise<Confirmation>
  onPaid: (checkout: Checkout) => void
  /** Called when the buyer closes the payment window without a known payment. */
  onDismissed?: () => void
}

/** The steps of every purchase, in order: `start`, `order`, `pay`, `finish…`. Only our server says whether it is paid. */
export function createPurchaseFlow(deps: PurchaseFlowDeps) {
  const { $purchase, describe, confirm, onPaid, onDismissed } = deps
  let stopPolling: () => void = () => undefined

  /** Asks the buyer first if another payment is being confirmed. */
  async function start(placeOrder: PlaceOrder) {
    if (isBusy($purchase.get())) return
    stopPolling()
    $purchase.set({ step: 'ordering' })
    const message = await confirmingPayment()
    if (message === null) await order(placeOrder)
    else $purchase.set({ step: 'twice', message, again: () => orderAfterQuestion(placeOrder) })
  }

  async function order(placeOrder: PlaceOrder) {
    $purchase.set({ step: 'ordering' })
    const placed = await placeOrder()
    if (placed.ok) {
      await pay(placed.checkout)
      return
    }
    const { message, nextStep, place: guess } = placed
    $purchase.set(
      guess === undefined
        ? stopped(message, true, nextStep)
        : { step: 'place', guess, again: () => orderAfterQuestion(placeOrder) },
    )
  }

  /** Does nothing when the buyer has left the question: an answer may be stored all the same. */
  function orderAfterQuestion(placeOrder: PlaceOrder) {
    if (isQuestion($purchase.get())) void order(placeOrder)
  }

  async function pay(checkout: Checkout) {
    $purchase.set({ step: 'opening' })
    const onPaying = (declined: string | null) => $purchase.set({ step: 'paying', declined })
    const end = await runCheckout({ describe, onPaying }, checkout)
    if (end.kind === 'script-missing') {
      $purchase.set(stopped(PURCHASE.sdkMissing, true))
      return
    }
    $purchase.set({ step: 'confirming' })
    if (end.kind === 'paid') onPaid(checkout)
    else if (end.kind === 'signed') finishSigned(checkout, await confirm(end.proof, checkout))
    else await finishDismissed(checkout)
  }

  function finishSigned(checkout: Checkout, confirmation: Confirmation) {
    if (confirmation === 'left') return
    if (confirmation === 'paid') {
      onPaid(checkout)
      return
    }
    $purchase.set(confirmation.shown)
    if (confirmation.mayStillArrive) waitForPayment(checkout.purchaseId, () => onPaid(checkout))
  }

  /** The payment may have succeeded although the buyer closed the window. */
  async function finishDismissed(checkout: Checkout) {
    if (await isPurchasePaid(checkout.purchaseId)) {
      onPaid(checkout)
      return
    }
    $purchase.set(stopped(PURCHASE.windowClosed, false))
    onDismissed?.()
    waitForPayment(checkout.purchaseId, () => onPaid(checkout))
  }

  /** Asks our server for about a minute whether a payment has arrived after all. */
  function waitForPayment(purchaseId: string, whenPaid: () => void) {
    stopPolling()
    const waitMs = (turn: number) => CLOSED_POLL_MS[turn]
    stopPolling = pollUntilPaid({ purchaseId, waitMs, onPaid: whenPaid })
  }

  return { start, waitForPayment }
}

/** What to say of a payment that is being confirmed; null without one, and when the call fails. */
async function confirmingPayment(): Promise<string | null> {
  const result = await session.call('GET /api/payment/purchases', {})
  return result.ok ? confirmingText(result.data.purchases) : null
}

/**
 * The result of a failed order. Before it orders, the server may ask where the buyer is, with a guess that may be ''.
 * Otherwise `explain` makes the sentence for the page.
 */
export function failedOrder(
  failure: CallFailure,
  explain: (message: string) => string,
): OrderResult {
  const { code, message, place = '' } = failure
  if (code === 'BILLING_REQUIRED') return { ok: false, message, place }
  return { ok: false, message: explain(message), nextStep: nextStepOf(failure) }
}

/**
 * Sends orders with an Idempotency-Key. It keeps the key of an order until the server accepts or refuses it, so that a
 * retry after a lost answer creates no second order.
 */
export function createIdempotentOrders() {
  let pending: { order: string; key: string } | null = null
  return async <T>(order: string, send: (idempotencyKey: string) => Promise<CallResult<T>>) => {
    if (pending?.order !== order) pending = { order, key: environment.newId() }
    const result = await send(pending.key)
    if (result.ok || result.kind === 'refused') pending = null
    return result
  }
}
