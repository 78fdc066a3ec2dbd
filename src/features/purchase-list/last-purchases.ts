import { createResource } from '../resource/resource.ts'
import { session } from '../session/session.ts'

const COUNT = 5

/** The last few purchases of the account. */
export function createLastPurchases() {
  return createResource(() =>
    session.call('GET /api/payment/purchases', { query: { limit: COUNT } }),
  )
}

export type LastPurchases = ReturnType<typeof createLastPurchases>
