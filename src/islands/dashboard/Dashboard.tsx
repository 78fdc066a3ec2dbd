import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { User } from '../../contract/account.ts'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { useUser } from '../session/use-user.ts'
import { Cards } from './Cards.tsx'
import type { Downloads } from './Download.tsx'
import { Download } from './Download.tsx'
import { LastPurchases } from './LastPurchases.tsx'
import { PlanPanel } from './PlanPanel.tsx'
import { loadDashboard, usage } from './store.ts'
import { UsagePanel } from './UsagePanel.tsx'
import { VerifyBanner } from './VerifyBanner.tsx'

interface Props {
  downloads: Downloads
}

/** /dashboard: tokens left first, then use, plan, purchases and the app. */
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
