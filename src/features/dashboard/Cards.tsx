import type { Tokens, User } from '../../contract/account.ts'
import { answersIn } from '../../contract/answers.ts'
import { formatCount, formatHours, percentOf } from '../../lib/numbers.ts'

interface Props {
  user: User
  usage: {
    sessions: { completed: number; successRatePercent: number; secondsSaved: number }
  } | null
}

/** The four figures of the account. Three of them are zero until the first session, and unknown until they load. */
export function Cards({ user, usage }: Props) {
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
          The other three start with your first session. <a href="/tokens">See history</a>
        </p>
      )}
    </div>
  )
}

function TokensCard({ user: { tokens, subscription } }: { user: User }) {
  const { used, total } = tokens
  const left = Math.max(0, total - used)
  // A refund leaves only the used tokens as the total, so "100 %" would say nothing.
  const wentBack = used > 0 && left === 0 && subscription.status === 'past_due'
  return (
    <section className="figure">
      <h2>AI Tokens Used</h2>
      {wentBack ? (
        <p className="figure-value">{formatCount(used)} used before your plan ended</p>
      ) : (
        <Share used={used} total={total} />
      )}
      {answersIn(left) > 0 && (
        <p className="figure-note">About {formatCount(answersIn(left))} answers left</p>
      )}
    </section>
  )
}

function Share({ used, total }: Tokens) {
  const percent = percentOf(used, total)
  return (
    <>
      <p className="figure-value">
        {formatCount(used)} / {formatCount(total)}
      </p>
      {total > 0 && (
        <>
          <div
            className="progress-bar"
            role="meter"
            aria-label="AI tokens used"
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={percent}
          >
            <span className="progress-bar-fill" style={{ inlineSize: `${percent}%` }} />
          </div>
          <p className="figure-note">{percent}% used</p>
        </>
      )}
    </>
  )
}
