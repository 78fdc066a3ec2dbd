import { atom } from 'nanostores'
import type { Currency } from '../../contract/currency.ts'
import { describeSale, TOKEN_PACK } from '../../contract/catalogue.ts'
import { PURCHASE } from '../../contract/messages.ts'
import type { CheckoutProof } from '../../contract/purchase.ts'
import type { Confirmation, OrderResult } from '../purchase/purchase-flow.ts'
import {
  createIdempotentOrders,
  createPurchaseFlow,
  failedOrder,
  isRejected,
} from '../purchase/purchase-flow.ts'
import { createShownPurchase, isBusy, stopped } from '../purchase/purchase-step.ts'
import { session } from '../session/session.ts'

interface TokenPurchaseDeps {
  /** Called when the tokens have arrived, so that the page reloads the balance. */
  onPaid: () => void
}

/** Buying a token pack in its modal, which closes together with the payment window. */
export function createTokenPurchase({ onPaid }: TokenPurchaseDeps) {
  const $isOpen = atom(false)
  const sendOrder = createIdempotentOrders()
  const { $purchase, leaveQuestion } = createShownPurchase()
  const { start } = createPurchaseFlow({
    $purchase,
    describe: ({ seller }) => `${seller.name} ${describeSale(TOKEN_PACK)}`,
    confirm,
    onPaid: () => {
      $purchase.set(stopped(PURCHASE.tokensPurchased, false))
      onPaid()
    },
  })
  $purchase.listen(({ step }) => {
    if (step === 'confirming') $isOpen.set(false)
  })

  async function placeOrder(currency: Currency): Promise<OrderResult> {
    const result = await sendOrder(currency, (idempotencyKey) =>
      session.call('POST /api/payment/create-token-order', { body: { currency }, idempotencyKey }),
    )
    if (result.ok) return { ok: true, checkout: result.data }
    return failedOrder(result, (message) => message || PURCHASE.tokenOrderFailed)
  }

  async function confirm(proof: CheckoutProof): Promise<Confirmation> {
    const result = await session.call('POST /api/payment/activate-token-purchase', { body: proof })
    if (!result.ok) {
      // Unless the proof was rejected, the webhook still leads to the tokens.
      const mayStillArrive = !isRejected(result)
      const nextStep = mayStillArrive ? PURCHASE.doNotPayAgain : undefined
      return { shown: stopped(PURCHASE.tokenActivationFailed, true, nextStep), mayStillArrive }
    }
    const { status } = result.data
    if (status === 'paid') return 'paid'
    if (status === 'review' || status === 'refunded') {
      const message = status === 'review' ? PURCHASE.needsReview : PURCHASE.refunded
      return { shown: stopped(message, true), mayStillArrive: false }
    }
    return { shown: stopped(PURCHASE.confirming, false), mayStillArrive: true }
  }

  return {
    $purchase,
    leaveQuestion,
    $isOpen,
    buy: (currency: Currency) => start(() => placeOrder(currency)),
    open: () => {
      if (isBusy($purchase.get())) return
      $purchase.set({ step: 'idle' })
      $isOpen.set(true)
    },
    cancel: () => {
      if (!isBusy($purchase.get())) $isOpen.set(false)
    },
  }
}

export type TokenPurchase = ReturnType<typeof createTokenPurchase>
