import type { Purchase, ListedState } from '../../contract/receipt.ts'
import { formatSellerDay } from '../../lib/dates.ts'
import { formatMinor } from '../../contract/amount.ts'
import { Badge } from '../../ui/Badge.tsx'

const STATES = {
  not_completed: { tone: 'gray', text: 'Not completed' },
  confirming: { tone: 'orange', text: 'Confirming' },
  paid: { tone: 'green', text: 'Paid' },
  review: { tone: 'orange', text: 'In review' },
  disputed: { tone: 'orange', text: 'Disputed' },
  refund_requested: { tone: 'orange', text: 'Refund requested' },
  refunded: { tone: 'gray', text: 'Refunded' },
  charged_back: { tone: 'gray', text: 'Returned by your bank' },
} as const satisfies Record<ListedState, { tone: string; text: string }>

export function PurchaseTable({ purchases }: { purchases: readonly Purchase[] }) {
  return (
    <div className="table-scroll">
      <table className="table table-stacking">
        <caption className="visually-hidden">Purchases</caption>
        <thead>
          <tr>
            <th scope="col">Date (India time)</th>
            <th scope="col">Item</th>
            <th scope="col">Amount</th>
            <th scope="col">Status</th>
            <th scope="col">Receipt</th>
          </tr>
        </thead>
        <tbody>
          {purchases.map((purchase) => (
            <PurchaseRow key={purchase.purchaseId} purchase={purchase} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function PurchaseRow({ purchase }: { purchase: Purchase }) {
  const { tone, text } = STATES[purchase.state]
  return (
    <tr>
      <td>{formatSellerDay(purchase.paidAt ?? purchase.createdAt)}</td>
      <td>{purchase.item}</td>
      <td>{formatMinor(purchase.amount, purchase.currency)}</td>
      <td>
        <Badge tone={tone}>{text}</Badge>
      </td>
      <td>
        {purchase.receiptNumber === null ? (
          '–'
        ) : (
          <a href={`/receipt?id=${purchase.purchaseId}`}>{purchase.receiptNumber}</a>
        )}
      </td>
    </tr>
  )
}
