import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { formatMinor } from '../../contract/amount.ts'
import { formatCount } from '../../lib/numbers.ts'
import { createLastPurchases } from '../purchase-list/last-purchases.ts'
import { Fact } from '../../ui/Fact.tsx'

const purchases = createLastPurchases()

/** What a confirmed payment bought: the order in the address, else the newest that is paid. */
export function Bought() {
  const { data, status } = useStore(purchases.$resource)
  useEffect(() => void purchases.load(), [])
  const orderId = new URLSearchParams(location.search).get('order_id')
  const bought = data?.purchases.find((purchase) =>
    orderId ? purchase.orderId === orderId : purchase.settlement === 'paid',
  )
  if (bought === undefined && status !== 'loading') return null
  // Takes up space from the start, so that the card does not grow when the facts arrive.
  return (
    <dl className="facts bought" aria-busy={bought === undefined}>
      <Fact name="Bought">
        {bought ? `${bought.item}, ${formatCount(bought.tokens)} tokens` : '…'}
      </Fact>
      <Fact name="Amount">{bought ? formatMinor(bought.amount, bought.currency) : '…'}</Fact>
      <Fact name="Receipt">
        {bought?.receiptNumber ? (
          <a href={`/receipt?id=${bought.purchaseId}`}>{bought.receiptNumber}</a>
        ) : (
          '…'
        )}
      </Fact>
    </dl>
  )
}
