import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { User } from '../../contract/account.ts'
import { ErrorBoundary, withErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { DownloadLink, type Downloads } from '../download/DownloadLink.tsx'
import { Loaded } from '../resource/Loaded.tsx'
import { useTokensLeft } from '../tokens/use-tokens-left.ts'
import { useUser } from '../session/use-user.ts'
import { PurchaseTable } from '../purchases/PurchaseTable.tsx'
import { Cards } from './Cards.tsx'
import { DashboardShape } from './DashboardShape.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { MoreTokens } from './MoreTokens.tsx'
import { nextStepOf } from './next-step.ts'
import { NextStep } from './NextStep.tsx'
import { PlanPanel } from './PlanPanel.tsx'
import { loadDashboard, purchases, usage } from './store.ts'
import { UsageFailed, UsagePanel } from './UsagePanel.tsx'

/** Terms change rarely, so few dashboards load this. */
const TermsNotice = onDemand('our new terms', () => import('./TermsNotice.tsx'))

interface Props {
  downloads: Downloads
}

/** /dashboard: what to do next, tokens, usage, plan, purchases and the desktop app. */
export default withErrorBoundary('your dashboard', Dashboard)

function Dashboard(props: Props) {
  const user = useUser()
  return user === null ? <DashboardShape /> : <Parts {...props} user={user} />
}

function Parts({ user, downloads }: Props & { user: User }) {
  const used = useStore(usage.$resource)
  useEffect(() => void usage.load(), [])
  useTokensLeft(loadDashboard)
  const step = nextStepOf(user, used.data)
  const isNew = user.tokens.used === 0
  // Most new users get the app next, so its button usually stays when the usage has loaded.
  const stepHasApp = step.kind === 'get-app' || (step.kind === 'wait' && isNew)
  return (
    <div className="dash">
      <div className="dash-next">
        {user.mustAcceptTerms && <TermsNotice />}
        <NextStep user={user} step={step} downloads={downloads} />
      </div>
      <div className="dash-use">
        {isNew ? (
          <>
            {used.status === 'failed' && used.data === null && <UsageFailed />}
            <FirstSteps user={user} usage={used.data} />
          </>
        ) : (
          <ErrorBoundary of="your usage">
            <UsagePanel state={used} tokens={user.tokens} />
          </ErrorBoundary>
        )}
      </div>
      <div className="dash-plan">
        <PlanPanel user={user} />
      </div>
      <Cards user={user} usage={used.data} />
      <div className="dash-more">
        {user.subscription.status === 'active' && (
          <MoreTokens preferred={user.preferences.currency} />
        )}
        <AppPanel downloads={stepHasApp ? null : downloads} />
      </div>
      <ErrorBoundary of="your purchases">
        <LastPurchases />
      </ErrorBoundary>
    </div>
  )
}

function LastPurchases() {
  return (
    <Panel title="Last purchases" className="plain">
      <Loaded
        resource={purchases}
        loading="Loading your purchases…"
        failed="We could not load your purchases."
      >
        {(data) =>
          data.purchases.length > 0 ? (
            <>
              <PurchaseTable purchases={data.purchases} />
              {data.purchases.some(({ refundableUntil }) => refundableUntil) && (
                <p className="row-note">
                  <a href="/profile?tab=subscription">Get a refund</a>
                </p>
              )}
            </>
          ) : (
            <p className="empty">No purchases yet. Your receipts will appear here.</p>
          )
        }
      </Loaded>
    </Panel>
  )
}

/** Says where the app runs. `downloads` is null while the next step has them. */
function AppPanel({ downloads }: { downloads: Downloads | null }) {
  return (
    <Panel title="The desktop app" className="plain">
      <p>
        It writes its answers on top of any call or editor, on macOS 10.15 or later and Windows
        10/11. <a href="/screen-sharing">What others see</a>
      </p>
      {downloads !== null && <DownloadLink downloads={downloads} />}
    </Panel>
  )
}
