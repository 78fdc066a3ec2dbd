import { receiptEndpoint } from '../contract/receipt.ts'
import type { Environment } from './environment.ts'
import { createResource } from './resource.ts'
import type { Session } from './session.ts'

/** /receipt?id=: one receipt of one's own. */
export function createReceipt(environment: Environment, session: Session) {
  const receipt = createResource(() => {
    const purchaseId = new URLSearchParams(environment.here().search).get('id') ?? ''
    return session.call(receiptEndpoint, { params: { purchaseId } })
  })
  return { $receipt: receipt.$resource, load: receipt.load }
}
