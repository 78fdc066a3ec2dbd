import { atom } from 'nanostores'
import { PURCHASE } from '../../contract/messages.ts'
import { loadPart, MissingPart } from '../../lib/load-part.ts'
import { environment, toasts } from '../../stores/browser.ts'
import { createPlans } from '../../stores/plans.ts'
import { createPurchaseWish } from '../../stores/purchase-wish.ts'
import type { PurchaseState } from '../../stores/purchase-state.ts'
import { stopped } from '../../stores/purchase-state.ts'

export const plans = createPlans(environment, toasts)

export const purchaseWish = createPurchaseWish(environment)

/** How the purchase stands; idle until somebody buys, which is when the rest of it is loaded. */
export const $purchase = atom<PurchaseState>({ step: 'idle' })

let loading: ReturnType<typeof load> | undefined

async function load(sellerName: string) {
  const { makePurchase } = await loadPart(() => import('./purchase.ts'))
  const purchase = makePurchase(sellerName)
  purchase.$purchase.listen((state) => {
    $purchase.set(state)
  })
  return purchase
}

/** The purchase of this page, with what it needs to run; null, and told, when that cannot be loaded. */
export async function loadPurchase(sellerName: string) {
  loading ??= load(sellerName)
  try {
    return await loading
  } catch (error) {
    if (!(error instanceof MissingPart)) throw error
    loading = undefined
    $purchase.set(stopped(PURCHASE.partMissing, true))
    return null
  }
}
