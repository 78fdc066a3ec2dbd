import { PURCHASE } from '../../contract/messages.ts'
import type { Purchase } from '../../contract/receipt.ts'
import { formatMinor } from '../../lib/numbers.ts'

/** What to say of a payment that is on its way; null while none of these purchases has one. */
export function confirmingText(purchases: readonly Purchase[]): string | null {
  const found = purchases.find(({ state }) => state === 'confirming')
  return found ? PURCHASE.confirmingAmount(formatMinor(found.amount, found.currency)) : null
}
