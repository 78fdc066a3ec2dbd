import type { CallFailure } from '../../api/call-endpoint.ts'
import type { Currency } from '../../contract/currency.ts'
import { ID_PATTERN } from '../../contract/limits.ts'
import { PURCHASE, TOAST } from '../../contract/messages.ts'
import type { Checkout, Settlement } from '../../contract/purchase.ts'
import { cancelPage, successPage } from '../../contract/return-pages.ts'
import { environment } from '../../lib/environment.ts'
import type { CheckoutResult } from '../purchase/checkout.ts'
import { sentenceOf } from '../../api/failure-text.ts'
import type { OrderResult } from '../purchase/purchase-flow.ts'
import {
  createIdempotentOrders,
  createPurchaseFlow,
  failedOrder,
} from '../purchase/purchase-flow.ts'
import {
  createPurchaseState,
  isBusy,
  PURCHASE_PARAMETER,
  stopped,
} from '../purchase/purchase-state.ts'
import { session } from '../session/session.ts'
import { toasts } from '../toasts/toasts.ts'

/** What a reload says about a purchase. */
const RESUMED: Readonly<Record<Settlement, string>> = {
  paid: PURCHASE.arrived,
  refunded: PURCHASE.refunded,
  review: PURCHASE.needsReview,
  failed: PURCHASE.notPaid,
  pending: PURCHASE.confirming,
}

/** Buying a plan on /subscription. It leads to the success or the cancel page; a reload shows its status. */
export function createPlanPurchase(
  { $purchase, $planType, leaveQuestion } = createPurchaseState(),
) {
  const sendOrder = createIdempotentOrders()
  const { buy, poll } = createPurchaseFlow({
    $purchase,
    describe: () => PURCHASE.oneTime,
    confirm: async (checkout, triple) => {
      await confirm(checkout, triple)
      return 'left'
    },
    onPaid: ({ order, purchaseId }) => arrive(order.id, purchaseId),
    onDismissed: () => remember(null),
  })

  function arrive(orderId: string | null, purchaseId: string) {
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

  async function purchase(planType: string, placeOrder: () => Promise<OrderResult>) {
    if (isBusy($purchase.get())) return
    $planType.set(planType)
    await buy(async () => {
      const order = await placeOrder()
      if (order.ok) remember(order.checkout.purchaseId)
      return order
    })
  }

  /** Orders a plan at the amount of the server's own list, which also says whether the plan exists. */
  async function createOrder(planType: string, currency: Currency): Promise<OrderResult> {
    const amounts = await environment.call('GET /api/subscription/plan-amounts', {
      query: { currency },
    })
    if (!amounts.ok) {
      const message = PURCHASE.paymentError(PURCHASE.planAmountsFailed)
      return { ok: false, message, nextStep: sentenceOf(amounts) }
    }
    const amount = amounts.data.planAmounts[planType]
    if (amount === undefined) {
      return { ok: false, message: PURCHASE.paymentError(PURCHASE.invalidPlanType(planType)) }
    }
    const body = { planType, amount, preferredCurrency: currency }
    const result = await sendOrder(`${planType} ${currency}`, (idempotencyKey) =>
      session.call('POST /api/payment/create-order', { body, idempotencyKey }),
    )
    if (result.ok) return { ok: true, checkout: result.data }
    return failedOrder(result, (message) => {
      toasts.error(message || TOAST.orderFailed)
      return PURCHASE.paymentError(message || PURCHASE.paymentOrderFailed)
    })
  }

  /** Orders a plan after a sign-in, with the call that the specification sets for it. */
  async function createSubscription(planType: string, currency: Currency): Promise<OrderResult> {
    const body = { planType, preferredCurrency: currency }
    const result = await sendOrder(`${planType} ${currency}`, (idempotencyKey) =>
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

  async function confirm(checkout: Checkout, triple: CheckoutResult) {
    const result = await session.call('POST /api/payment/verify-payment', { body: triple })
    if (!result.ok && result.kind === 'refused') showRejected(triple, result)
    else if (!result.ok && result.kind === 'unauthenticated') await confirmSignedOut(triple)
    else if (result.ok && result.data.status === 'failed') {
      environment.navigateInstead(cancelPage('payment_not_captured', triple))
    } else {
      if (result.ok && result.data.status === 'paid') toasts.success(TOAST.paymentVerified)
      environment.navigateInstead(successPage({ ...triple, subscriptionId: checkout.purchaseId }))
    }
  }

  /** Confirms by signature alone after the session has ended, as in another tab. The success page asks to sign in. */
  async function confirmSignedOut(triple: CheckoutResult) {
    const result = await environment.call('POST /api/payment/activate-order-public', {
      body: triple,
    })
    if (result.ok && result.data.status === 'paid') toasts.success(PURCHASE.receivedSignedOut)
    environment.navigateInstead(successPage(triple))
  }

  function showRejected({ paymentId }: CheckoutResult, { code, message }: CallFailure) {
    toasts.error(message || TOAST.paymentVerificationFailed)
    const reason = code === 'SIGNATURE_INVALID' ? 'verification_failed' : 'processing_error'
    environment.navigateInstead(cancelPage(reason, { paymentId, error: message }))
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
    if (settlement !== 'review') poll(id, () => arrive(orderId, id))
    return currency
  }

  return {
    $purchase,
    $planType,
    leaveQuestion,
    buy: (planType: string, currency: Currency) =>
      purchase(planType, () => createOrder(planType, currency)),
    subscribe: (planType: string, currency: Currency) =>
      purchase(planType, () => createSubscription(planType, currency)),
    resume,
  }
}

export type PlanPurchase = ReturnType<typeof createPlanPurchase>
