import type { Currency } from '../contract/catalogue.ts'
import { planAmountsEndpoint } from '../contract/catalogue.ts'
import { PURCHASE, TOAST } from '../contract/messages.ts'
import type { Checkout } from '../contract/purchase.ts'
import { createOrderEndpoint, createSubscriptionEndpoint } from '../contract/purchase.ts'
import type { Environment } from './environment.ts'
import { createIdempotencyKey } from './idempotency.ts'
import { nextStepOf, sentenceOf } from './outcome.ts'
import type { Session } from './session.ts'
import type { Toasts } from './toasts.ts'

export type OrderResult =
  { ok: true; checkout: Checkout } | { ok: false; message: string; nextStep?: string | undefined }

interface Parts {
  environment: Environment
  session: Session
  toasts: Toasts
}

/** The two ways the spec orders a plan: create-order when signed in, create-subscription after the modal. */
export function createPlanOrder({ environment, session, toasts }: Parts) {
  const keys = createIdempotencyKey(environment.newId)

  /** The amount is taken from the server's own list, which also says whether the plan exists. */
  async function amountOf(planType: string, currency: Currency) {
    const result = await environment.call(planAmountsEndpoint, { query: { currency } })
    if (!result.ok) {
      const nextStep = sentenceOf(result)
      return { ok: false as const, message: PURCHASE.planAmountsFailed, nextStep }
    }
    const amount = result.data.planAmounts[planType]
    return amount === undefined
      ? { ok: false as const, message: PURCHASE.invalidPlanType(planType) }
      : { ok: true as const, amount }
  }

  async function order(planType: string, currency: Currency): Promise<OrderResult> {
    const amount = await amountOf(planType, currency)
    if (!amount.ok) return { ...amount, message: PURCHASE.paymentError(amount.message) }
    const result = await session.call(createOrderEndpoint, {
      body: { planType, amount: amount.amount, preferredCurrency: currency },
      idempotencyKey: keys.keyFor(`${planType} ${currency}`),
    })
    keys.settle(result)
    if (result.ok) return { ok: true, checkout: result.data }
    toasts.error(result.message || TOAST.orderFailed)
    return {
      ok: false,
      message: PURCHASE.paymentError(result.message || PURCHASE.paymentOrderFailed),
      nextStep: nextStepOf(result),
    }
  }

  async function subscribe(planType: string, currency: Currency): Promise<OrderResult> {
    const result = await session.call(createSubscriptionEndpoint, {
      body: { planType, preferredCurrency: currency },
      idempotencyKey: keys.keyFor(`${planType} ${currency}`),
    })
    keys.settle(result)
    // Accepted, but the answer is not one that names a subscription.
    if (!result.ok && result.status === 200)
      return { ok: false, message: PURCHASE.noSubscriptionId }
    if (!result.ok) {
      toasts.error(result.message || TOAST.subscriptionFailed)
      const message = result.message || TOAST.subscriptionFailed
      return {
        ok: false,
        message: PURCHASE.subscriptionError(message),
        nextStep: nextStepOf(result),
      }
    }
    const { id, ...rest } = result.data.subscription
    return { ok: true, checkout: { purchaseId: id, ...rest } }
  }

  return { order, subscribe }
}
