import type { Purchase } from '../../contract/receipt.ts'
import { formatMinor } from '../../contract/amount.ts'

/** What to say of a payment that is on its way; null while none of these purchases has one. */
export function confirmingText(purchases: readonly Purchase[]): string | null {
  const found = purchases.find(({ state }) => state === 'confirming')
  if (found === undefined) return null
  const amount = formatMinor(found.amount, found.currency)
  return `A payment of ${amount} is being confirmed. Its tokens will be added automatically, usually within a minute.`
}
