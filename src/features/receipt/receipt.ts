import { silentFailure } from '../../api/call-endpoint.ts'
import { ID_PATTERN } from '../../contract/limits.ts'
import { PURCHASE } from '../../contract/messages.ts'
import { environment } from '../../lib/environment.ts'
import { createResource } from '../resource/resource.ts'
import { session } from '../session/session.ts'

/** /receipt?id=: one receipt of the account. */
export function createReceipt() {
  return createResource(() => {
    const purchaseId = new URLSearchParams(environment.here().search).get('id') ?? ''
    return ID_PATTERN.test(purchaseId)
      ? session.call('GET /api/payment/receipts/{purchaseId}', { params: { purchaseId } })
      : Promise.resolve({ ...silentFailure('refused', 0), message: PURCHASE.notFound })
  })
}
