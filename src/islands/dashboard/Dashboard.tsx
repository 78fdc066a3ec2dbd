import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { User } from '../../contract/account.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { Notice, RetryNotice } from '../../ui/Notice.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { useUser } from '../session/use-user.ts'
import { PurchaseTable } from '../subscription/PurchaseTable.tsx'
import { Cards } from './Cards.tsx'
import type { Downloads } from './Download.tsx'
import { Download } from './Download.tsx'
import { PlanPanel } from './PlanPanel.tsx'
import { loadDashboard, purchases, resend, usage } from './store.ts'
import { UsagePanel } from './UsagePanel.tsx'

interface Props {
  downloads: Downloads
}

/** /dashboard: tokens, usage, plan, purchases and the desktop app. */
export default function Dashboard(props: Props) {
  const user = useUser()
  return (
    <ErrorBoundary of="your dashboard">
      {user !== null && <Parts {...props} user={user} />}
    </ErrorBoundary>
  )
}

function Parts({ user, downloads }: Props & { user: User }) {
  const used = useStore(usage.$resource)
  useEffect(() => {
    loadDashboard()
  }, [])

  return (
    <div className="stack">
      {!user.isEmailVerified && <VerifyBanner email={user.email} />}
      <Cards tokens={user.tokens} usage={used.data} />
      <div className="columns">
        <ErrorBoundary of="your usage">
          <UsagePanel state={used} hasUse={user.tokens.used > 0} />
        </ErrorBoundary>
        <PlanPanel user={user} />
      </div>
      <div className="columns">
        <ErrorBoundary of="your purchases">
          <LastPurchases />
        </ErrorBoundary>
        <Download downloads={downloads} />
      </div>
    </div>
  )
}

/** Asks users who have not verified their address to do so. */
function VerifyBanner({ email }: { email: string }) {
  const state = useStore(resend.$resend)
  const sendAgain = (
    <Button
      size="small"
      isBusy={state === 'sending'}
      busyLabel="Sending…"
      onClick={() => void resend.sendAgain()}
    >
      Send again
    </Button>
  )
  return (
    <Notice tone="muted" actions={state === 'sent' ? <span>Sent</span> : sendAgain}>
      Please verify your email: we sent a link to <strong className="breakable">{email}</strong>.
    </Notice>
  )
}

function LastPurchases() {
  const { status, data } = useStore(purchases.$purchases)
  const rows = data?.purchases ?? []
  return (
    <section className="card panel" aria-labelledby="purchases-title">
      <h2 id="purchases-title">Last purchases</h2>
      {rows.length > 0 && <PurchaseTable purchases={rows} />}
      {rows.length === 0 && status === 'loading' && <Loading>Loading your purchases…</Loading>}
      {rows.length === 0 && status === 'ready' && (
        <p className="empty">Nothing bought yet. Receipts show up here.</p>
      )}
      {status === 'failed' && (
        <RetryNotice onRetry={purchases.load}>We could not load your purchases.</RetryNotice>
      )}
    </section>
  )
}
