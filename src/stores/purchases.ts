import { purchasesEndpoint } from '../contract/receipt.ts'
import { createPages } from './pages.ts'
import type { StoreDeps } from './session.ts'

const PAGE_SIZE = 20

/** The purchases of the account, newest first, page by page. */
export function createPurchases({ session }: StoreDeps) {
  return createPages(
    (cursor) => session.call(purchasesEndpoint, { query: { limit: PAGE_SIZE, cursor } }),
    ({ purchases }) => purchases,
  )
}
