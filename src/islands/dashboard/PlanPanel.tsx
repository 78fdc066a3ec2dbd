import { lazy, Suspense, useEffect, useState } from 'react'
import type { User } from '../../contract/account.ts'
import type { Currency } from '../../contract/catalogue.ts'
import { formatDay } from '../../lib/dates.ts'
import { Panel } from '../../ui/Panel.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { loadPart } from '../../ui/on-demand.tsx'
import { planDay, planName, STATUS_TEXT } from '../subscription/plan-words.ts'

/** The plan and its period, and for active plans a way to buy tokens. */
export function PlanPanel({ user }: { user: User }) {
  const { status, plan, cancelAtPeriodEnd } = user.subscription
  const isPast = status === 'past_due'
  // While there are tokens to try it with, the first steps come before a plan.
  const hasTokens = user.tokens.total === 0 || user.tokens.used < user.tokens.total
  const date = status === 'active' || isPast ? planDay(user.subscription) : null
  return (
    <Panel title="Your plan">
      <p className="panel-lead">{isPast ? `${planName(plan)} is not active` : planName(plan)}</p>
      <p>
        {!(isPast && date !== null) && STATUS_TEXT[status]}
        {date !== null && ` ${date.word} ${formatDay(date.day).replaceAll(' ', '\u00a0')}.`}
        {cancelAtPeriodEnd && status === 'active' && (
          <>
            {' '}
            <a href="/profile?tab=subscription">Reactivate</a>
          </>
        )}
      </p>
      {status === 'active' ? (
        <MoreTokens preferred={user.preferences.currency} />
      ) : (
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

const TokenPurchasePanel = lazy(() => loadPart(() => import('./TokenPurchasePanel.tsx')))

/** "Purchase More Tokens". The first click loads the script of the modal. */
function MoreTokens({ preferred }: { preferred: Currency }) {
  const [isWanted, setIsWanted] = useState(false)
  useEffect(() => {
    if (new URLSearchParams(location.search).get('buy') === 'tokens') setIsWanted(true)
  }, [])
  return (
    <div className="more-tokens">
      <h3>Purchase More Tokens</h3>
      <p>A pack adds a million tokens. They are used after those of your plan.</p>
      {isWanted ? (
        <ErrorBoundary of="the purchase" kept={<Opener onOpen={openAgain} />}>
          <Suspense fallback={<Opener isBusy />}>
            <TokenPurchasePanel preferred={preferred} />
          </Suspense>
        </ErrorBoundary>
      ) : (
        <Opener onOpen={() => setIsWanted(true)} />
      )}
    </div>
  )
}

/** A script that did not load comes only with a new page. */
function openAgain() {
  location.assign('?buy=tokens')
}

function Opener({ isBusy = false, onOpen }: { isBusy?: boolean; onOpen?: () => void }) {
  return (
    <Button look="primary" isBusy={isBusy} onClick={onOpen}>
      Purchase More Tokens
    </Button>
  )
}
