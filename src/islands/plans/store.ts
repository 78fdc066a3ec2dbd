import { atom } from 'nanostores'
import { environment, toasts } from '../../stores/browser.ts'
import { createPlans } from '../../stores/plans.ts'
import { createPurchaseWish } from '../../stores/purchase-wish.ts'
import type { PurchaseState } from '../../stores/purchase-state.ts'

export const plans = createPlans(environment, toasts)

export const purchaseWish = createPurchaseWish(environment)

/** How the purchase stands; idle until somebody buys, which is when the rest of it is loaded. */
export const $purchase = atom<PurchaseState>({ step: 'idle' })

let loading: ReturnType<typeof load> | undefined

async function load(sellerName: string) {
  const { makePurchase } = await import('./purchase.ts')
  const purchase = makePurchase(sellerName)
  purchase.$purchase.listen((state) => {
    $purchase.set(state)
  })
  return purchase
}

/** The purchase of this page, with what it needs to run. */
export function loadPurchase(sellerName: string) {
  loading ??= load(sellerName)
  return loading
}
