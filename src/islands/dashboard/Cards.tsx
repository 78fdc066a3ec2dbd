import type { ReactNode } from 'react'
import type { Tokens } from '../../contract/account.ts'
import { answersIn } from '../../contract/answers.ts'
import { formatCount, formatHours, percentOf } from '../../lib/numbers.ts'
import { ProgressBar } from '../../ui/ProgressBar.tsx'

interface Props {
  tokens: Tokens
  usage: {
    sessions: { completed: number; successRatePercent: number; secondsSaved: number }
  } | null
}

/** The four figures of the account. Three of them are zero until the first session. */
export function Cards({ tokens, usage }: Props) {
  const sessions = usage?.sessions ?? { completed: 0, successRatePercent: 0, secondsSaved: 0 }
  const isEmpty = sessions.completed === 0
  return (
    <div className="cards" data-empty={isEmpty}>
      <TokensCard tokens={tokens} />
      <Figure title="Sessions Completed">{formatCount(sessions.completed)}</Figure>
      <Figure title="Success Rate">{sessions.successRatePercent}%</Figure>
      <Figure title="Time Saved">{formatHours(sessions.secondsSaved)}</Figure>
      {isEmpty && <p className="cards-note">From your first session on.</p>}
    </div>
  )
}

/** The bar belongs to the tokens left above it, which the page shows before this script runs. */
function TokensCard({ tokens: { used, total } }: { tokens: Tokens }) {
  const percent = percentOf(used, total)
  const answers = answersIn(Math.max(0, total - used))
  return (
    <section className="figure-tokens">
      {total > 0 && <ProgressBar label="AI tokens used" percent={percent} />}
      <div>
        <h2>AI Tokens Used</h2>
        <p>
          {formatCount(used)} / {formatCount(total)}
        </p>
        {total > 0 && <p>{percent}% used</p>}
        {answers > 0 && (
          <p className="figure-answers">Left: about {formatCount(answers)} answers</p>
        )}
      </div>
    </section>
  )
}

function Figure({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="figure">
      <h2>{title}</h2>
      <p className="figure-value">{children}</p>
    </section>
  )
}
