import type { CallFailure } from '../../api/call-endpoint.ts'
import type { Currency } from '../../contract/currency.ts'
import { ID_PATTERN } from '../../contract/limits.ts'
import { PURCHASE, TOAST } from '../../contract/messages.ts'
import type { Checkout, CheckoutProof, Settlement } from '../../contract/purchase.ts'
import { cancelPage, successPage } from '../../contract/return-pages.ts'
import { environment } from '../../lib/environment.ts'
import { sentenceOf } from '../../api/failure-text.ts'
import type { Confirmation, OrderResult } from '../purchase/purchase-flow.ts'
import {
  createIdempotentOrders,
  createPurchaseFlow,
  failedOrder,
  isRejected,
} from '../purchase/purchase-flow.ts'
import {
  type createShownPurchase,
  isBusy,
  PURCHASE_PARAMETER,
  stopped,
} from '../purchase/purchase-step.ts'
import { session } from '../session/session.ts'
import { toasts } from '../toasts/toasts.ts'
import type { ChosenPlan } from './pending-purchase.ts'

/** What a reload says about a purchase. */
const RESUMED: Readonly<Record<Settlement, string>> = {
  paid: PURCHASE.arrived,
  refunded: PURCHASE.refunded,
  review: PURCHASE.needsReview,
  failed: PURCHASE.notPaid,
  pending: PURCHASE.confirming,
}

/** The call that orders: `createSubscription` for a buyer who just signed in, as the specification says. */
export type PlanOrder = 'createOrder' | 'createSubscription'

type Shown = Pick<ReturnType<typeof createShownPurchase>, '$purchase' | '$planType'>

/** Buying a plan on /subscription. It leads to the success or the cancel page; a reload shows its status. */
export function createPlanPurchase({ $purchase, $planType }: Shown) {
  const sendOrder = createIdempotentOrders()
  const flow = createPurchaseFlow({
    $purchase,
    describe: () => PURCHASE.oneTime,
    confirm,
    onPaid: ({ order, purchaseId }) => showSuccess(order.id, purchaseId),
    onDismissed: () => remember(null),
  })

  function buy(chosen: ChosenPlan, order: PlanOrder) {
    const placeOrder = order === 'createOrder' ? createOrder : createSubscription
    return flow.start(async () => {
      const placed = await placeOrder(chosen)
      if (placed.ok) remember(placed.checkout.purchaseId)
      return placed
    })
  }

  /** Orders a plan that the server's list still has, at the price on its card: the server refuses any other than its own. */
  async function createOrder({ planType, currency, price }: ChosenPlan): Promise<OrderResult> {
    const amounts = await environment.call('GET /api/subscription/plan-amounts', {
      query: { currency },
    })
    if (!amounts.ok) {
      const message = PURCHASE.paymentError(PURCHASE.planAmountsFailed)
      return { ok: false, message, nextStep: sentenceOf(amounts) }
    }
    if (amounts.data.planAmounts[planType] === undefined) {
      return { ok: false, message: PURCHASE.paymentError(PURCHASE.invalidPlanType(planType)) }
    }
    const body = { planType, amount: price, preferredCurrency: currency }
    const result = await sendOrder(`${planType} ${currency} ${price}`, (idempotencyKey) =>
      session.call('POST /api/payment/create-order', { body, idempotencyKey }),
    )
    if (result.ok) return { ok: true, checkout: result.data }
    return failedOrder(result, (message) => {
      toasts.error(message || TOAST.orderFailed)
      return PURCHASE.paymentError(message || PURCHASE.paymentOrderFailed)
    })
  }

  async function createSubscription({
    planType,
    currency,
    price,
  }: ChosenPlan): Promise<OrderResult> {
    const body = { planType, amount: price, preferredCurrency: currency }
    const result = await sendOrder(`${planType} ${currency} ${price}`, (idempotencyKey) =>
      session.call('POST /api/payment/create-subscription', { body, idempotencyKey }),
    )
    if (result.ok) {
      const { id, ...checkout } = result.data.subscription ?? {}
      if (id === undefined) return { ok: false, message: PURCHASE.noSubscriptionId }
      return { ok: true, checkout: { purchaseId: id, ...checkout } }
    }
    return failedOrder(result, (message) => {
      const reason = message || TOAST.subscriptionFailed
      toasts.error(reason)
      return PURCHASE.subscriptionError(reason)
    })
  }

  /** Confirms the payment and opens the page that says how it went. */
  async function confirm(proof: CheckoutProof, { purchaseId }: Checkout): Promise<Confirmation> {
    const result = await session.call('POST /api/payment/verify-payment', { body: proof })
    if (!result.ok && isRejected(result)) showRejected(proof, result)
    else if (!result.ok && result.kind === 'unauthenticated') await confirmSignedOut(proof)
    else if (result.ok && result.data.status === 'failed') {
      environment.navigateInstead(cancelPage('payment_not_captured', proof))
    } else {
      if (result.ok && result.data.status === 'paid') toasts.success(TOAST.paymentVerified)
      environment.navigateInstead(successPage({ ...proof, subscriptionId: purchaseId }))
    }
    return 'left'
  }

  /** Confirms by signature alone after the session has ended, as in another tab. The success page asks to sign in. */
  async function confirmSignedOut(proof: CheckoutProof) {
    const result = await environment.call('POST /api/payment/activate-order-public', {
      body: proof,
    })
    if (result.ok && result.data.status === 'paid') toasts.success(PURCHASE.receivedSignedOut)
    environment.navigateInstead(successPage(proof))
  }

  function showRejected({ paymentId }: CheckoutProof, { code, message }: CallFailure) {
    toasts.error(message || TOAST.paymentVerificationFailed)
    const reason = code === 'SIGNATURE_INVALID' ? 'verification_failed' : 'processing_error'
    environment.navigateInstead(cancelPage(reason, { paymentId, error: message }))
  }

  function showSuccess(orderId: string | null, purchaseId: string) {
    toasts.success(TOAST.paymentVerified)
    environment.navigateInstead(
      successPage({ orderId: orderId ?? undefined, subscriptionId: purchaseId }),
    )
  }

  /** Keeps the purchase in the address, so that a reload can show its status. */
  function remember(purchaseId: string | null) {
    const query = new URLSearchParams(environment.here().search)
    if (purchaseId === null) query.delete(PURCHASE_PARAMETER)
    else query.set(PURCHASE_PARAMETER, purchaseId)
    environment.replaceSearch(query.size === 0 ? '' : `?${query}`)
  }

  /**
   * After a reload: shows the status of the purchase in the address, and waits for a payment that may still arrive.
   * Returns the currency of a purchase that is not over.
   */
  async function resume(): Promise<Currency | null> {
    const id = new URLSearchParams(environment.here().search).get(PURCHASE_PARAMETER)
    if (id === null || isBusy($purchase.get())) return null
    if (!ID_PATTERN.test(id)) {
      remember(null)
      return null
    }
    const result = await session.call('GET /api/payment/status/{id}', { params: { id } })
    if (isBusy($purchase.get())) return null
    if (!result.ok) {
      if (result.kind === 'refused') remember(null)
      return null
    }
    const { settlement, status, orderId, currency, sku } = result.data.payment
    $planType.set(sku)
    // An open order is pending too, but has no payment that could be confirmed.
    const message = status === 'open' ? PURCHASE.notPaid : RESUMED[settlement]
    $purchase.set(stopped(message, false))
    if (settlement === 'paid' || settlement === 'refunded') {
      remember(null)
      return null
    }
    if (settlement !== 'review') flow.waitForPayment(id, () => showSuccess(orderId, id))
    return currency
  }

  return { buy, resume }
}

export type PlanPurchase = ReturnType<typeof createPlanPurchase>
