import { useStore } from '@nanostores/react'
import { lazy, Suspense, useEffect } from 'react'
import type { User } from '../../contract/account.ts'
import { loadPart } from '../../lib/load-part.ts'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { RetryNotice } from '../../ui/Notice.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { DownloadLink, type Downloads } from '../download/DownloadLink.tsx'
import { useUser } from '../session/use-user.ts'
import { PurchaseTable } from '../subscription/PurchaseTable.tsx'
import { Cards } from './Cards.tsx'
import { DashboardShape } from './DashboardShape.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { PlanPanel } from './PlanPanel.tsx'
import { loadDashboard, purchases, usage } from './store.ts'
import { UsagePanel } from './UsagePanel.tsx'

/** Terms change rarely, so few dashboards load this. */
const TermsNotice = lazy(() => loadPart(() => import('./TermsNotice.tsx')))

interface Props {
  downloads: Downloads
}

/** /dashboard: tokens, usage, plan, purchases and the desktop app. */
export default function Dashboard(props: Props) {
  const user = useUser()
  return (
    <ErrorBoundary of="your dashboard">
      {user === null ? <DashboardShape /> : <Parts {...props} user={user} />}
    </ErrorBoundary>
  )
}

function Parts({ user, downloads }: Props & { user: User }) {
  const used = useStore(usage.$resource)
  useEffect(() => {
    loadDashboard()
  }, [])

  const hasTokens = user.tokens.total > 0
  const steps = <FirstSteps user={user} usage={used.data} downloads={downloads} />

  return (
    <div className="stack">
      {user.mustAcceptTerms && (
        <ErrorBoundary of="our new terms">
          <Suspense>
            <TermsNotice />
          </Suspense>
        </ErrorBoundary>
      )}
      {!hasTokens && steps}
      <Cards user={user} usage={used.data} />
      {hasTokens && steps}
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
        <AppPanel downloads={downloads} />
      </div>
    </div>
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

function AppPanel({ downloads }: Props) {
  return (
    <section className="card panel" aria-labelledby="download-title">
      <h2 id="download-title">The desktop app</h2>
      <p>It runs on macOS (10.15 or later) and Windows (10/11).</p>
      <DownloadLink downloads={downloads} />
    </section>
  )
}
