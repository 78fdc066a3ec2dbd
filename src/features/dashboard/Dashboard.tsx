import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { User } from '../../contract/account.ts'
import type { Purchase } from '../../contract/receipt.ts'
import { formatDay } from '../../lib/dates.ts'
import { environment } from '../../lib/environment.ts'
import { formatCount, formatHours, percentOf } from '../../lib/numbers.ts'
import { planDay, planName, STATUS_TEXT } from '../../lib/plan-words.ts'
import { Badge } from '../../ui/Badge.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { ErrorBoundary, withErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { Shape } from '../../ui/Loading.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { DownloadLink, type Downloads } from '../download/DownloadLink.tsx'
import { ConfirmingNotice } from '../purchase-list/ConfirmingNotice.tsx'
import { PurchaseTable } from '../purchase-list/PurchaseTable.tsx'
import { Loaded } from '../resource/Loaded.tsx'
import { useFreshUser } from '../session/use-user.ts'
import { MoreTokens } from '../token-purchase/MoreTokens.tsx'
import { TokensLeft } from '../tokens/TokensLeft.tsx'
import { FirstSteps, NextStep } from './NextStep.tsx'
import { UsageFailed, UsagePanel } from './UsagePanel.tsx'
import { nextStepOf } from './next-step.ts'
import { purchases, reloadDashboard, usage } from './store.ts'

const TermsNotice = onDemand('the new terms', () => import('./TermsNotice.tsx'))

const DAY_MS = 86_400_000
/** The end of a plan is near when no more days than this are left. */
const NEAR_DAYS = 30

interface Props {
  downloads: Downloads
}

/** /dashboard: what to do next, tokens, usage, plan, purchases and the desktop app. */
export default withErrorBoundary('your dashboard', Dashboard)

function Dashboard(props: Props) {
  const user = useFreshUser(reloadDashboard)
  return (
    <>
      <header className="page-head dash-head">
        <div className="row">
          <h1 className="greeting">
            Hello, <bdi translate="no">{user?.firstName ?? user?.username}</bdi>
          </h1>
          {user?.subscription.status === 'active' && <Badge tone="green">Active</Badge>}
        </div>
        <TokensLeft user={user} hasAnswers note={user === null ? '' : daysLeft(user)} />
      </header>
      {user === null ? <DashboardShape /> : <Parts {...props} user={user} />}
    </>
  )
}

/** The days of an active plan once its end is near: " · 25 days left of Pro"; otherwise nothing. */
function daysLeft({ subscription: { status, plan, currentPeriodEnd } }: User): string {
  if (status !== 'active' || currentPeriodEnd === null) return ''
  const days = Math.ceil((Date.parse(currentPeriodEnd) - environment.clock.now()) / DAY_MS)
  if (days > NEAR_DAYS) return ''
  // It may end before its time by a clock that is ahead of the server's, or while the page is open.
  return ` · ${days <= 1 ? 'last day' : `${days} days left`} of ${planName(plan)}`
}

function Parts({ user, downloads }: Props & { user: User }) {
  const used = useStore(usage.$resource)
  const bought = useStore(purchases.$resource).data?.purchases ?? null
  useEffect(() => void usage.load(), [])
  const step = nextStepOf(user, used.data)
  const isNew = user.tokens.used === 0
  // Most new users get the app next, so its button usually stays when the usage has loaded.
  const stepHasApp =
    step.kind === 'refunded'
      ? step.needsApp
      : step.kind === 'get-app' || (step.kind === 'wait' && isNew)
  return (
    <div className="dash">
      <div className="dash-next">
        {user.mustAcceptTerms && <TermsNotice />}
        <ConfirmingNotice purchases={purchases} />
        <NextStep user={user} step={step} bought={bought} downloads={downloads} />
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
        <PlanPanel user={user} bought={bought} />
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
            <PurchaseTable purchases={data.purchases} />
          ) : (
            <p className="muted">No purchases yet. Your receipts will appear here.</p>
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

/** The dashboard before the user is known. The page's HTML contains it, so that a slow connection shows a placeholder. */
function DashboardShape() {
  return (
    <div className="dash">
      <div className="dash-next">
        <div className="next" />
      </div>
      <div className="dash-use">
        <Shape />
      </div>
      <div className="dash-plan">
        <Panel title="Your plan" className="plain">
          <Shape />
        </Panel>
      </div>
      <div className="cards">
        <Shape />
      </div>
      <div className="dash-more">
        <Shape />
      </div>
      <Panel title="Last purchases" className="plain">
        <Shape />
      </Panel>
    </div>
  )
}

interface CardsProps {
  user: User
  usage: {
    sessions: { completed: number; successRatePercent: number; secondsSaved: number }
  } | null
}

/** The four figures of the account. Three of them are zero until the first session, and unknown until they load. */
function Cards({ user, usage }: CardsProps) {
  const sessions = usage?.sessions ?? { completed: 0, successRatePercent: 0, secondsSaved: 0 }
  const figure = (title: string, text: string) => (
    <section className="figure">
      <h2>{title}</h2>
      <p className="figure-value">{usage === null && user.tokens.used > 0 ? '–' : text}</p>
    </section>
  )
  return (
    <div className="cards">
      <TokensCard user={user} />
      {figure('Sessions Completed', formatCount(sessions.completed))}
      {figure('Success Rate', `${sessions.successRatePercent}%`)}
      {figure('Time Saved', formatHours(sessions.secondsSaved))}
      {user.tokens.used === 0 && (
        <p className="cards-note">
          The app reports your sessions, how many went well, and the time they saved you.{' '}
          <a href="/tokens">See history</a>
        </p>
      )}
    </div>
  )
}

function TokensCard({ user: { tokens, subscription } }: { user: User }) {
  const { used, total } = tokens
  const percent = percentOf(used, total)
  // A refund leaves only the used tokens as the total, so "100 %" would say nothing.
  const wentBack = used > 0 && used >= total && subscription.status === 'past_due'
  return (
    <section className="figure">
      <h2>AI Tokens Used</h2>
      <p className="figure-value">
        {wentBack
          ? `${formatCount(used)} used before your plan ended`
          : `${formatCount(used)} / ${formatCount(total)}`}
      </p>
      {total > 0 && !wentBack && (
        <>
          <div
            className="progress-bar"
            role="meter"
            aria-label="AI tokens used"
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={percent}
          >
            <span style={{ inlineSize: `${percent}%` }} />
          </div>
          <p className="small muted">{`${percent}% used`}</p>
        </>
      )}
    </section>
  )
}

interface PlanProps {
  user: User
  /** The last purchases; null until they load. */
  bought: readonly Purchase[] | null
}

/** The plan, its period and, while there is one, the way to a refund. */
function PlanPanel({ user, bought }: PlanProps) {
  const { status, plan, cancelAtPeriodEnd } = user.subscription
  const isPast = status === 'past_due'
  // While there are tokens to try it with, the first steps come before a plan.
  const hasUnused = user.tokens.used < user.tokens.total
  const hasTokens = user.tokens.total === 0 || hasUnused
  const date = status === 'active' ? planDay(user.subscription) : null
  const says = [
    // The next step says why and when a plan ended before its time.
    isPast ? '' : STATUS_TEXT[status],
    date === null ? '' : `${date.word} ${formatDay(date.day).replaceAll(' ', '\u00a0')}.`,
    status === 'active' ? 'Tokens that you have stay usable after that.' : '',
  ].filter(Boolean)
  const refundable = bought?.find(({ refundableUntil }) => hasUnused && refundableUntil !== null)
  return (
    <Panel title="Your plan" className="plain">
      <p className="panel-lead">{isPast ? `${planName(plan)} has ended` : planName(plan)}</p>
      {says.length > 0 && (
        <p>
          {says.join(' ')}{' '}
          {cancelAtPeriodEnd && status === 'active' && (
            <a href="/profile?tab=subscription">Reactivate</a>
          )}
        </p>
      )}
      {refundable?.refundableUntil != null && (
        <p className="small muted">
          <a href="/profile?tab=subscription">Get a refund</a>: until{' '}
          {formatDay(refundable.refundableUntil)}, for the tokens that you have not used.
        </p>
      )}
      {status !== 'active' && (
        <ButtonLink
          look={status === 'inactive' && hasTokens ? 'secondary' : 'primary'}
          href="/subscription"
        >
          See plans
        </ButtonLink>
      )}
    </Panel>
  )
}
