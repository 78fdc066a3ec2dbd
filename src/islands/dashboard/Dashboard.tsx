import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { User } from '../../contract/account.ts'
import { ErrorBoundary, withErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { DownloadLink, type Downloads } from '../download/DownloadLink.tsx'
import { Loaded } from '../resource/Loaded.tsx'
import { useUser } from '../session/use-user.ts'
import { PurchaseTable } from '../subscription/PurchaseTable.tsx'
import { Cards } from './Cards.tsx'
import { DashboardShape } from './DashboardShape.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { PlanPanel } from './PlanPanel.tsx'
import { purchases, usage } from './store.ts'
import { UsagePanel } from './UsagePanel.tsx'

/** Terms change rarely, so few dashboards load this. */
const TermsNotice = onDemand('our new terms', () => import('./TermsNotice.tsx'))

interface Props {
  downloads: Downloads
}

/** /dashboard: tokens, usage, plan, purchases and the desktop app. */
export default withErrorBoundary('your dashboard', Dashboard)

function Dashboard(props: Props) {
  const user = useUser()
  return user === null ? <DashboardShape /> : <Parts {...props} user={user} />
}

function Parts({ user, downloads }: Props & { user: User }) {
  const used = useStore(usage.$resource)
  useEffect(() => void usage.load(), [])

  const hasTokens = user.tokens.total > 0
  const steps = <FirstSteps user={user} usage={used.data} downloads={downloads} />

  return (
    <div className="stack">
      {user.mustAcceptTerms && <TermsNotice />}
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
  return (
    <Panel title="Last purchases">
      <Loaded
        resource={purchases}
        loading="Loading your purchases…"
        failed="We could not load your purchases."
      >
        {(data) =>
          data.purchases.length > 0 ? (
            <PurchaseTable purchases={data.purchases} />
          ) : (
            <p className="empty">Nothing bought yet. Receipts show up here.</p>
          )
        }
      </Loaded>
    </Panel>
  )
}

function AppPanel({ downloads }: Props) {
  return (
    <Panel title="The desktop app">
      <p>It runs on macOS (10.15 or later) and Windows (10/11).</p>
      <DownloadLink downloads={downloads} />
    </Panel>
  )
}
