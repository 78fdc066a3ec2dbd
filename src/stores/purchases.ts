import { atom } from 'nanostores'
import type { Purchase } from '../contract/receipt.ts'
import { purchasesEndpoint } from '../contract/receipt.ts'
import { sentenceOf } from './outcome.ts'
import type { Session } from './session.ts'

export interface PurchasesState {
  status: 'loading' | 'ready' | 'failed'
  purchases: readonly Purchase[]
  nextCursor: string | null
  message: string | null
}

/** The purchases of the account, newest first, page by page. */
export function createPurchases(session: Session, pageSize: number) {
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
