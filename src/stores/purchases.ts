import { silentFailure } from '../api/call-endpoint.ts'
import { ID_PATTERN } from '../contract/limits.ts'
import { PURCHASE } from '../contract/messages.ts'
import { purchasesEndpoint, receiptEndpoint } from '../contract/receipt.ts'
import { createPages } from './pages.ts'
import { createResource } from './resource.ts'
import type { StoreDeps } from './session.ts'

const PAGE_SIZE = 20
const LAST_SIZE = 5

/** The purchases of the account, newest first, page by page. */
export function createPurchases({ session }: StoreDeps) {
  return createPages(
    (cursor) => session.call(purchasesEndpoint, { query: { limit: PAGE_SIZE, cursor } }),
    ({ purchases }) => purchases,
  )
}

/** The last few purchases of the account. */
export function createLastPurchases({ session }: StoreDeps) {
  return createResource(() => session.call(purchasesEndpoint, { query: { limit: LAST_SIZE } }))
}

/** /receipt?id=: one receipt of the account. */
export function createReceipt({ environment, session }: StoreDeps) {
  return createResource(() => {
    const purchaseId = new URLSearchParams(environment.here().search).get('id') ?? ''
    return ID_PATTERN.test(purchaseId)
      ? session.call(receiptEndpoint, { params: { purchaseId } })
      : Promise.resolve({ ...silentFailure('refused', 0), message: PURCHASE.notFound })
  })
}
