import type { User } from '../../contract/account.ts'
import { formatDay } from '../../lib/dates.ts'
import { Panel } from '../../ui/Panel.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { planDay, planName, STATUS_TEXT } from '../../lib/plan-words.ts'

/** The plan and its period. */
export function PlanPanel({ user }: { user: User }) {
  const { status, plan, cancelAtPeriodEnd } = user.subscription
  const isPast = status === 'past_due'
  // While there are tokens to try it with, the first steps come before a plan.
  const hasTokens = user.tokens.total === 0 || user.tokens.used < user.tokens.total
  const date = status === 'active' || isPast ? planDay(user.subscription) : null
  return (
    <Panel title="Your plan" className="plain">
      <p className="panel-lead">{isPast ? `${planName(plan)} is not active` : planName(plan)}</p>
      <p>
        {!(isPast && date !== null) && STATUS_TEXT[status]}
        {date !== null && ` ${date.word} ${formatDay(date.day).replaceAll(' ', '\u00a0')}.`}
        {status === 'active' && ' Unused tokens stay in your account after that.'}
        {cancelAtPeriodEnd && status === 'active' && (
          <>
            {' '}
            <a href="/profile?tab=subscription">Reactivate</a>
          </>
        )}
      </p>
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
