/** The purchase to withdraw from, and the secret of the mailed link that the user followed. */
export interface WithdrawalRequest {
  purchaseId: string
  secret?: string
}

/** The purchase and the secret in the hash of a mailed link, `#refund=<purchase>.<secret>`; null without. */
export function mailedRefund(hash: string): WithdrawalRequest | null {
  const [, purchaseId, secret] = /^#refund=(\w+)\.([\w-]+)/.exec(hash) ?? []
  return purchaseId === undefined || secret === undefined ? null : { purchaseId, secret }
}
