import { createResource } from './resource.ts'
import type { StoreDeps } from './session.ts'

const COUNT = 5

/** The last few purchases of the account. */
export function createLastPurchases({ session }: StoreDeps) {
  return createResource(() =>
    session.call('GET /api/payment/purchases', { query: { limit: COUNT } }),
  )
}
