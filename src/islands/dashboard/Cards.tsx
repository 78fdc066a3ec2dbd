import type { ReactNode } from 'react'
import type { Tokens } from '../../contract/account.ts'
import { formatCount, formatHours, percentOf } from '../../lib/numbers.ts'
import { ProgressBar } from '../../ui/ProgressBar.tsx'

interface Props {
  tokens: Tokens
  usage: {
    sessions: { completed: number; successRatePercent: number; secondsSaved: number }
  } | null
}

/** The four figures on top of the dashboard; the last three show zero until they have data. */
export function Cards({ tokens, usage }: Props) {
  const sessions = usage?.sessions ?? { completed: 0, successRatePercent: 0, secondsSaved: 0 }
  return (
    <div className="cards">
      <TokensCard tokens={tokens} />
      <Figure title="Sessions Completed">{formatCount(sessions.completed)}</Figure>
      <Figure title="Success Rate">{sessions.successRatePercent}%</Figure>
      <Figure title="Time Saved">{formatHours(sessions.secondsSaved)}</Figure>
    </div>
  )
}

function TokensCard({ tokens: { used, total } }: { tokens: Tokens }) {
  const percent = percentOf(used, total)
  return (
    <section className="card figure figure-tokens">
      <h2>AI Tokens Used</h2>
      <p className="figure-value">
        {formatCount(used)} <span className="figure-of">/ {formatCount(total)}</span>
      </p>
      <ProgressBar label="AI tokens used" percent={percent} />
      <p className="figure-note">{percent}% used</p>
    </section>
  )
}

function Figure({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card figure">
      <h2>{title}</h2>
      <p className="figure-value">{children}</p>
    </section>
  )
}
