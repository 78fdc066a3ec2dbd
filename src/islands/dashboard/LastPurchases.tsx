import { useStore } from '@nanostores/react'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Waiting } from '../../ui/Waiting.tsx'
import { PurchaseTable } from '../subscription/PurchaseTable.tsx'
import { purchases } from './store.ts'

export function LastPurchases() {
  const { status, purchases: rows } = useStore(purchases.$purchases)
  return (
    <section className="card panel" aria-labelledby="purchases-title">
      <h2 id="purchases-title">Last purchases</h2>
      {rows.length > 0 && <PurchaseTable purchases={rows} />}
      {rows.length === 0 && status === 'loading' && <Waiting>Loading your purchases…</Waiting>}
      {rows.length === 0 && status === 'ready' && (
        <p className="empty">Nothing bought yet. Receipts show up here.</p>
      )}
      {status === 'failed' && (
        <Notice
          tone="error"
          actions={
            <Button size="small" onClick={() => void purchases.load()}>
              Try Again
            </Button>
          }
        >
          We could not load your purchases.
        </Notice>
      )}
    </section>
  )
}
