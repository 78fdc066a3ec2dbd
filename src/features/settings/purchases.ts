import type { Purchase } from '../../contract/receipt.ts'
import { createResource } from '../resource/resource.ts'
import { session } from '../session/session.ts'

const PAGE_SIZE = 20

/** The purchases of the account, newest first, page by page. */
export function createPurchases() {
  /** The rows above the page to load, and the cursor of that page. */
  let above: readonly Purchase[] = []
  let cursor: string | undefined
  const { $resource, load } = createResource(async () => {
    const query = { limit: PAGE_SIZE, cursor }
    const result = await session.call('GET /api/payment/purchases', { query })
    if (!result.ok) return result
    const { purchases, nextCursor } = result.data
    return { ok: true, data: { rows: [...above, ...purchases], nextCursor } }
  })

  function loadBelow(rows: readonly Purchase[], start: string | undefined) {
    above = rows
    cursor = start
    return load()
  }

  return {
    $resource,
    /** Loads the page again that was asked for last. */
    again: load,
    /** Loads the first page. */
    load: () => loadBelow([], undefined),
    loadMore: async () => {
      const { data, status } = $resource.get()
      if (status === 'loading' || data === null || data.nextCursor === null) return
      await loadBelow(data.rows, data.nextCursor)
    },
  }
}
