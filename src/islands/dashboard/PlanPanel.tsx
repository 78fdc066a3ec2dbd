import type { User } from '../../contract/account.ts'
import { formatDay } from '../../lib/dates.ts'
import { MoreTokens } from './MoreTokens.tsx'
import { periodWord, planName, STATUS_TEXT } from '../subscription/plan-words.ts'

/** Plan and period; with an active plan, more tokens. */
export function PlanPanel({ user }: { user: User }) {
  const { status, plan, currentPeriodEnd, cancelAtPeriodEnd } = user.subscription
  return (
    <section className="card panel" aria-labelledby="plan-title">
      <h2 id="plan-title">Your plan</h2>
      <p className="panel-lead">{planName(plan)}</p>
      <p>
        {STATUS_TEXT[status]}
        {status === 'active' &&
          currentPeriodEnd !== null &&
          `. ${periodWord(user.subscription)} ${formatDay(currentPeriodEnd).replaceAll(' ', '\u00a0')}.`}
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
        <a className="button button-primary" href="/subscription">
          See plans
        </a>
      )}
    </section>
  )
}
