import { atom } from 'nanostores'
import type { CallFailure } from '../api/call-result.ts'
import type { Currency } from '../contract/catalogue.ts'
import { PURCHASE, TOAST } from '../contract/messages.ts'
import type { Checkout } from '../contract/purchase.ts'
import {
  activateOrderPublicEndpoint,
  paymentStatusEndpoint,
  verifyPaymentEndpoint,
} from '../contract/purchase.ts'
import { Id } from '../contract/text.ts'
import type { CheckoutEnd, PaymentTriple } from './checkout.ts'
import { isPaidForSure, runCheckout } from './checkout.ts'
import type { Environment } from './environment.ts'
import { watchPayment } from './payment-watch.ts'
import type { OrderResult } from './plan-order.ts'
import { createPlanOrder } from './plan-order.ts'
import type { PurchaseState } from './purchase-state.ts'
import { isBusy, stopped } from './purchase-state.ts'
import { cancelPath, successPath } from './return-paths.ts'
import type { Session } from './session.ts'
import type { Toasts } from './toasts.ts'

interface Parts {
  environment: Environment
  session: Session
  toasts: Toasts
  sellerName: string
}

const PURCHASE_PARAMETER = 'purchase'

/** Buying a plan: order, widget, confirmation; one at a time. Only our server says that money arrived. */
export function createPlanPurchase(parts: Parts) {
  const { environment, session, toasts } = parts
  const $purchase = atom<PurchaseState>({ step: 'idle' })
  const orders = createPlanOrder(parts)
  const checkoutParts = {
    environment,
    session,
    sellerName: parts.sellerName,
    description: PURCHASE.oneTime,
    $purchase,
  }
  let callOffWatch: () => void = () => undefined

  /** The one tell-tale that survives a reload of the page. */
  function remember(purchaseId: string | null) {
    const query = new URLSearchParams(environment.here().search)
    if (purchaseId === null) query.delete(PURCHASE_PARAMETER)
    else query.set(PURCHASE_PARAMETER, purchaseId)
    environment.replaceSearch(query.size === 0 ? '' : `?${query}`)
  }

  async function run(askForOrder: () => Promise<OrderResult>) {
    if (isBusy($purchase.get())) return
    callOffWatch()
    $purchase.set({ step: 'ordering' })
    const ordered = await askForOrder()
    if (!ordered.ok) {
      $purchase.set(stopped(ordered.message, true, ordered.nextStep))
      return
    }
    remember(ordered.checkout.purchaseId)
    $purchase.set({ step: 'opening' })
    await finish(ordered.checkout, await runCheckout(checkoutParts, ordered.checkout))
  }

  async function finish(checkout: Checkout, end: CheckoutEnd) {
    if (end.kind === 'script-missing') $purchase.set(stopped(PURCHASE.sdkMissing, true))
    else if (end.kind === 'handed-over') await confirm(checkout, end.triple)
    else if (end.kind === 'paid') showPaid(checkout)
    else await lookOnceMore(checkout)
  }

  async function confirm(checkout: Checkout, triple: PaymentTriple) {
    $purchase.set({ step: 'confirming' })
    const result = await session.call(verifyPaymentEndpoint, { body: triple })
    if (!result.ok && result.kind === 'refused') refused(triple, result)
    else if (!result.ok && result.kind === 'unauthenticated') await confirmSignedOut(triple)
    else if (result.ok && result.data.status === 'failed') {
      environment.navigateInstead(cancelPath('payment_not_captured', triple.paymentId))
    } else {
      if (result.ok && result.data.status === 'paid') toasts.success(TOAST.paymentVerified)
      environment.navigateInstead(successPath({ ...triple, subscriptionId: checkout.purchaseId }))
    }
  }

  /** Signed out meanwhile, as in another tab. A signed order needs no session; the success page asks to sign in. */
  async function confirmSignedOut(triple: PaymentTriple) {
    const result = await environment.call(activateOrderPublicEndpoint, { body: triple })
    if (result.ok && result.data.status === 'paid') toasts.success(PURCHASE.receivedSignedOut)
    environment.navigateInstead(successPath(triple))
  }

  function refused(triple: PaymentTriple, failure: CallFailure) {
    toasts.error(failure.message || TOAST.paymentVerificationFailed)
    const reason = failure.code === 'SIGNATURE_INVALID' ? 'verification_failed' : 'processing_error'
    environment.navigateInstead(cancelPath(reason, triple.paymentId, failure.message))
  }

  function showPaid({ order, purchaseId }: Checkout) {
    toasts.success(TOAST.paymentVerified)
    environment.navigateInstead(successPath({ orderId: order.id, subscriptionId: purchaseId }))
  }

  /** The window was closed: asked at once, and again for a minute, whether money arrived all the same. */
  async function lookOnceMore(checkout: Checkout) {
    $purchase.set({ step: 'confirming' })
    if (await isPaidForSure(session, checkout.purchaseId)) {
      showPaid(checkout)
      return
    }
    $purchase.set(stopped(PURCHASE.windowClosed, false))
    remember(null)
    callOffWatch = watchPayment({ environment, session }, checkout.purchaseId, () => {
      showPaid(checkout)
    })
  }

  /** After a reload in the middle of a purchase: says how it stands, and answers the currency of one that goes on here. */
  async function resume(): Promise<Currency | null> {
    const id = new URLSearchParams(environment.here().search).get(PURCHASE_PARAMETER)
    if (id === null || isBusy($purchase.get())) return null
    if (!Id.safeParse(id).success) {
      remember(null)
      return null
    }
    const result = await session.call(paymentStatusEndpoint, { params: { id } })
    if (isBusy($purchase.get())) return null
    if (!result.ok) {
      if (result.kind === 'refused') remember(null)
      return null
    }
    const { settlement, currency } = result.data.payment
    if (settlement === 'paid') {
      remember(null)
      $purchase.set(stopped(PURCHASE.arrived, false))
      return null
    }
    const message = settlement === 'review' ? PURCHASE.needsReview : PURCHASE.notPaid
    $purchase.set(stopped(message, false))
    return currency
  }

  return {
    $purchase,
    buy: (planType: string, currency: Currency) => run(() => orders.order(planType, currency)),
    subscribe: (planType: string, currency: Currency) =>
      run(() => orders.subscribe(planType, currency)),
    resume,
  }
}

export type PlanPurchase = ReturnType<typeof createPlanPurchase>
