import { silentFailure } from '../api/call-endpoint.ts'
import { PURCHASE } from '../contract/messages.ts'
import type { Purchase } from '../contract/receipt.ts'
import { purchasesEndpoint, receiptEndpoint } from '../contract/receipt.ts'
import { Id } from '../contract/text.ts'
import { createResource } from './resource.ts'
import type { StoreDeps } from './session.ts'

interface PurchasesDeps extends StoreDeps {
  /** How many purchases one call requests. */
  pageSize: number
}

/** The purchases of the account, newest first, page by page. */
export function createPurchases({ session, pageSize }: PurchasesDeps) {
  /** The rows above the page to load, and the cursor of that page. */
  let kept: readonly Purchase[] = []
  let cursor: string | undefined
  const resource = createResource(async () => {
    const query = { limit: pageSize, cursor }
    const result = await session.call(purchasesEndpoint, { query })
    if (!result.ok) return result
    const { purchases, nextCursor } = result.data
    return { ok: true, data: { purchases: [...kept, ...purchases], nextCursor } }
  })

  function loadFrom(rows: readonly Purchase[], start: string | undefined) {
    kept = rows
    cursor = start
    return resource.load()
  }

  return {
    $purchases: resource.$resource,
    load: () => loadFrom([], undefined),
    loadMore: async () => {
      const { data, status } = resource.$resource.get()
      if (status === 'loading' || data === null || data.nextCursor === null) return
      await loadFrom(data.purchases, data.nextCursor)
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
