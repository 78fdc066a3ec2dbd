/** The two pages on which a purchase ends. */

interface SuccessParameters {
  orderId?: string | undefined
  paymentId?: string | undefined
  signature?: string | undefined
  subscriptionId?: string | undefined
}

type CancelReason = 'payment_not_captured' | 'verification_failed' | 'processing_error'

interface CancelDetails {
  paymentId?: string | undefined
  /** The message of the server or the payment provider. */
  error?: string | undefined
}

/** The path of the page for a purchase that is paid or awaits confirmation. Parameters without a value are left out. */
export function successPage(parameters: SuccessParameters): string {
  return path('/subscription/success', {
    payment_id: parameters.paymentId,
    order_id: parameters.orderId,
    subscription_id: parameters.subscriptionId,
    signature: parameters.signature,
  })
}

/** The path of the page that says why a purchase failed and what to do next. */
export function cancelPage(reason: CancelReason, { paymentId, error }: CancelDetails = {}): string {
  return path('/subscription/cancel', { reason, payment_id: paymentId, error })
}

function path(page: string, parameters: Record<string, string | undefined>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value)
  return query.size === 0 ? page : `${page}?${query}`
}
