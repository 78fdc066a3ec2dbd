import { atom } from 'nanostores'
import type { CallFailure } from '../api/call-result.ts'
import type { Currency } from '../contract/catalogue.ts'
import { TOKEN_PACK } from '../contract/catalogue.ts'
import { PURCHASE } from '../contract/messages.ts'
import type { Checkout } from '../contract/purchase.ts'
import { activateTokenPurchaseEndpoint, createTokenOrderEndpoint } from '../contract/purchase.ts'
import type { CheckoutEnd, PaymentTriple } from './checkout.ts'
import { isPaidForSure, runCheckout } from './checkout.ts'
import type { Environment } from './environment.ts'
import { createIdempotencyKey } from './idempotency.ts'
import { nextStepOf } from './outcome.ts'
import { watchPayment } from './payment-watch.ts'
import type { PurchaseState } from './purchase-state.ts'
import { isBusy, stopped } from './purchase-state.ts'
import type { Session } from './session.ts'

interface Parts {
  environment: Environment
  session: Session
  sellerName: string
  /** Tokens arrived: what shows them asks again. */
  onPaid: () => void
}

/** Buying a token pack in its modal, which closes on success and when the widget is dismissed. */
export function createTokenPurchase(parts: Parts) {
  const { environment, session } = parts
  const $purchase = atom<PurchaseState>({ step: 'idle' })
  const $isOpen = atom(false)
  const keys = createIdempotencyKey(environment.newId)
  const checkoutParts = {
    environment,
    session,
    sellerName: parts.sellerName,
    description: `${parts.sellerName} ${TOKEN_PACK.description}`,
    $purchase,
  }
  let callOffWatch: () => void = () => undefined

  async function buy(currency: Currency) {
    if (isBusy($purchase.get())) return
    callOffWatch()
    $purchase.set({ step: 'ordering' })
    const result = await session.call(createTokenOrderEndpoint, {
      body: { currency },
      idempotencyKey: keys.keyFor(currency),
    })
    keys.settle(result)
    if (!result.ok) {
      $purchase.set(stopped(result.message || PURCHASE.tokenOrderFailed, true, nextStepOf(result)))
      return
    }
    $purchase.set({ step: 'opening' })
    await finish(result.data, await runCheckout(checkoutParts, result.data))
  }

  async function finish(checkout: Checkout, end: CheckoutEnd) {
    if (end.kind === 'script-missing') $purchase.set(stopped(PURCHASE.sdkMissing, true))
    else if (end.kind === 'handed-over') await activate(checkout, end.triple)
    else if (end.kind === 'paid') succeed()
    else await lookOnceMore(checkout)
  }

  async function activate(checkout: Checkout, triple: PaymentTriple) {
    $purchase.set({ step: 'confirming' })
    const result = await session.call(activateTokenPurchaseEndpoint, { body: triple })
    if (!result.ok) notActivated(checkout, result)
    else if (result.data.status === 'paid') succeed()
    else if (result.data.status === 'review') close(stopped(PURCHASE.needsReview, true))
    else {
      close(stopped(PURCHASE.confirming, false))
      watch(checkout)
    }
  }

  /** Refused for good, or never answered: then the webhook may bring the tokens all the same. */
  function notActivated(checkout: Checkout, { kind }: CallFailure) {
    const mayStillArrive = kind === 'network' || kind === 'unavailable'
    const nextStep = mayStillArrive ? PURCHASE.doNotPayAgain : undefined
    close(stopped(PURCHASE.tokenActivationFailed, true, nextStep))
    if (mayStillArrive) watch(checkout)
  }

  async function lookOnceMore(checkout: Checkout) {
    $purchase.set({ step: 'confirming' })
    if (await isPaidForSure(session, checkout.purchaseId)) {
      succeed()
      return
    }
    close(stopped(PURCHASE.windowClosed, false))
    watch(checkout)
  }

  function watch(checkout: Checkout) {
    callOffWatch = watchPayment({ environment, session }, checkout.purchaseId, succeed)
  }

  function succeed() {
    close(stopped(PURCHASE.tokensPurchased, false))
    parts.onPaid()
  }

  function close(state: PurchaseState) {
    $purchase.set(state)
    $isOpen.set(false)
  }

  return {
    $purchase,
    $isOpen,
    buy,
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
