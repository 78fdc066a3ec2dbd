/** The two pages a purchase ends on, with the query parameters of the spec. */

interface SuccessParameters {
  orderId?: string | undefined
  paymentId?: string | undefined
  signature?: string | undefined
  subscriptionId?: string | undefined
}

export type CancelReason = 'payment_not_captured' | 'verification_failed' | 'processing_error'

/** Parameters that are not known are left out: the page asks with what it has. */
export function successPath(parameters: SuccessParameters): string {
  return path('/subscription/success', {
    payment_id: parameters.paymentId,
    order_id: parameters.orderId,
    subscription_id: parameters.subscriptionId,
    signature: parameters.signature,
  })
}

/** `error` is the server's sentence, shown as text; empty when it sent none. */
export function cancelPath(reason: CancelReason, paymentId: string, error = ''): string {
  return path('/subscription/cancel', {
    reason,
    payment_id: paymentId,
    error: error === '' ? undefined : error,
  })
}

function path(page: string, parameters: Record<string, string | undefined>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, value)
  }
  return query.size === 0 ? page : `${page}?${query}`
}
