import { atom } from 'nanostores'
import { silentFailure } from '../api/call-endpoint.ts'
import { PURCHASE } from '../contract/messages.ts'
import type { Purchase } from '../contract/receipt.ts'
import { purchasesEndpoint, receiptEndpoint } from '../contract/receipt.ts'
import { Id } from '../contract/text.ts'
import { sentenceOf } from './failure-text.ts'
import { createResource } from './resource.ts'
import type { StoreDeps } from './session.ts'

export interface PurchasesState {
  status: 'loading' | 'ready' | 'failed'
  purchases: readonly Purchase[]
  nextCursor: string | null
  message: string | null
}

interface PurchasesDeps extends StoreDeps {
  /** How many purchases one call asks for. */
  pageSize: number
}

/** The purchases of the account, newest first, page by page. */
export function createPurchases({ session, pageSize }: PurchasesDeps) {
  const $purchases = atom<PurchasesState>({
    status: 'loading',
    purchases: [],
    nextCursor: null,
    message: null,
  })

  async function read(before: readonly Purchase[], cursor: string | null) {
    $purchases.set({ ...$purchases.get(), status: 'loading', message: null })
    const query = cursor === null ? { limit: pageSize } : { limit: pageSize, cursor }
    const result = await session.call(purchasesEndpoint, { query })
    if (!result.ok) {
      $purchases.set({ ...$purchases.get(), status: 'failed', message: sentenceOf(result) })
      return
    }
    const { purchases, nextCursor } = result.data
    $purchases.set({
      status: 'ready',
      purchases: [...before, ...purchases],
      nextCursor,
      message: null,
    })
  }

  return {
    $purchases,
    load: () => read([], null),
    loadMore: () => {
      const { purchases, nextCursor, status } = $purchases.get()
      return status === 'loading' || nextCursor === null
        ? Promise.resolve()
        : read(purchases, nextCursor)
    },
  }
}

/** /receipt?id=: one receipt of the account. */
export function createReceipt({ environment, session }: StoreDeps) {
  const receipt = createResource(() => {
    const id = Id.safeParse(new URLSearchParams(environment.here().search).get('id'))
    return id.success
      ? session.call(receiptEndpoint, { params: { purchaseId: id.data } })
      : Promise.resolve({ ...silentFailure('refused', 0), message: PURCHASE.notFound })
  })
  return { $receipt: receipt.$resource, load: receipt.load }
}
