import { silentFailure } from '../api/call-result.ts'
import { PURCHASE } from '../contract/messages.ts'
import { receiptEndpoint } from '../contract/receipt.ts'
import { Id } from '../contract/text.ts'
import type { Environment } from './environment.ts'
import { createResource } from './resource.ts'
import type { Session } from './session.ts'

/** /receipt?id=: one receipt of one's own. */
export function createReceipt(environment: Environment, session: Session) {
  const receipt = createResource(() => {
    const id = Id.safeParse(new URLSearchParams(environment.here().search).get('id'))
    return id.success
      ? session.call(receiptEndpoint, { params: { purchaseId: id.data } })
      : Promise.resolve({ ...silentFailure('refused', 0), message: PURCHASE.notFound })
  })
  return { $receipt: receipt.$resource, load: receipt.load }
}
