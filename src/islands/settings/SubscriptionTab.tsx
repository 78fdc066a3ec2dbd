import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { User } from '../../contract/account.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Waiting } from '../../ui/Waiting.tsx'
import { PurchaseTable } from '../subscription/PurchaseTable.tsx'
import { CurrentPlan } from './CurrentPlan.tsx'
import { planSettings, purchases } from './plan-store.ts'

export default function SubscriptionTab({ user }: { user: User }) {
  useEffect(() => {
    void planSettings.load()
    void purchases.load()
  }, [])
  return (
    <>
      <CurrentPlan user={user} />
      <AllPurchases />
    </>
  )
}

function AllPurchases() {
  const { status, purchases: rows, nextCursor, message } = useStore(purchases.$purchases)
  return (
    <section className="card panel" aria-labelledby="purchases-title">
      <h2 id="purchases-title">Purchases</h2>
      {rows.length > 0 && <PurchaseTable purchases={rows} />}
      {rows.length === 0 && status === 'loading' && <Waiting>Loading your purchases…</Waiting>}
      {rows.length === 0 && status === 'ready' && (
        <p className="empty">Nothing bought yet. Receipts show up here.</p>
      )}
      {message !== null && <Notice tone="error">{message}</Notice>}
      {(nextCursor !== null || status === 'failed') && (
        <Button
          size="small"
          isBusy={status === 'loading'}
          onClick={() => void (status === 'failed' ? purchases.load() : purchases.loadMore())}
        >
          {status === 'failed' ? 'Try Again' : 'Show more'}
        </Button>
      )}
    </section>
  )
}
