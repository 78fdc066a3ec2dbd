type CancelReason = 'verification_failed' | 'payment_not_captured' | 'processing_error'

interface CancelDetails {
  paymentId?: string | undefined
  /** What the provider said, for the person who pays. */
  error?: string | undefined
}

/** The page for a purchase that was paid or is being confirmed, with the parameters of the spec. */
export function successPage(parameters: Record<string, string>): string {
  return `/subscription/success?${new URLSearchParams(parameters)}`
}

/** The page that says what happened and what to do next. */
export function cancelPage(reason: CancelReason, { paymentId, error }: CancelDetails = {}): string {
  const query = new URLSearchParams({ reason })
  if (paymentId) query.set('payment_id', paymentId)
  if (error) query.set('error', error)
  return `/subscription/cancel?${query}`
}
