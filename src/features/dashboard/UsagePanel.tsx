import type { Tokens } from '../../contract/account.ts'
import type { UsageDay } from '../../contract/usage.ts'
import { formatCalendarDay, formatDate } from '../../lib/dates.ts'
import { formatCount } from '../../lib/numbers.ts'
import { paceOf } from '../../lib/pace.ts'
import type { ResourceState } from '../resource/resource.ts'
import { Fact } from '../../ui/Fact.tsx'
import { RetryNotice } from '../../ui/Notice.tsx'
import { MODE_NAMES, type Share, sharesOf } from '../../lib/usage-modes.ts'
import { usage } from './store.ts'
import { UsageChart } from './UsageChart.tsx'

interface Props {
  state: ResourceState<{ days: UsageDay[] }>
  tokens: Tokens
}

/** The use of the last 30 days. It has the same height while it loads. */
export function UsagePanel({ state, tokens }: Props) {
  const days = state.data?.days ?? []
  return (
    <section className="panel usage" aria-labelledby="usage-title">
      <div className="row panel-head">
        <h2 id="usage-title">Last 30 days</h2>
        <a href="/tokens">See history</a>
      </div>
      {state.status === 'failed' && state.data === null ? (
        <UsageFailed />
      ) : (
        <Days days={days} left={Math.max(0, tokens.total - tokens.used)} />
      )}
    </section>
  )
}

export function UsageFailed() {
  return <RetryNotice onRetry={usage.load}>We could not load your usage.</RetryNotice>
}

/** `days` is empty while the usage loads. */
function Days({ days, left }: { days: readonly UsageDay[]; left: number }) {
  const pace = paceOf(days, left)
  const total = days.reduce((sum, { tokens }) => sum + tokens, 0)
  const shares = sharesOf(total, {
    interview: sumOf(days, 'interview'),
    meeting: sumOf(days, 'meeting'),
    sales: sumOf(days, 'sales'),
    negotiation: sumOf(days, 'negotiation'),
  })
  return (
    <>
      <UsageChart days={days} average={pace.average} />
      <ul className="modes">
        {shares.map(({ mode, percent }) => (
          <li key={mode} data-mode={mode}>
            {MODE_NAMES[mode]} {days.length > 0 && `${percent}%`}
          </li>
        ))}
      </ul>
      <dl className="usage-facts">
        <Fact name="Daily average">{days.length > 0 && formatCount(pace.average)}</Fact>
        <Fact name="Today">{days.length > 0 && formatCount(pace.today)}</Fact>
        <Fact name="Tokens last until">
          {days.length > 0 &&
            (left === 0 || pace.lastDay === null ? '–' : formatDate(pace.lastDay))}
        </Fact>
      </dl>
      <UsageTable days={days} shares={shares} />
    </>
  )
}

function sumOf(days: readonly UsageDay[], mode: keyof UsageDay['byMode']): number {
  return days.reduce((sum, { byMode }) => sum + byMode[mode], 0)
}

/** The figures of the chart as a table. */
function UsageTable({ days, shares }: { days: readonly UsageDay[]; shares: readonly Share[] }) {
  const used = days.filter(({ tokens }) => tokens > 0).toReversed()
  const modes = shares.filter(({ tokens }) => tokens > 0).map(({ mode }) => mode)
  return (
    <details className="chart-table">
      <summary>Show as a table</summary>
      <div className="table-scroll" role="region" aria-label="Tokens used per day" tabIndex={0}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Day</th>
              {modes.map((mode) => (
                <th key={mode} scope="col">
                  {MODE_NAMES[mode]}
                </th>
              ))}
              <th scope="col">Tokens</th>
            </tr>
          </thead>
          <tbody>
            {used.map(({ day, tokens, byMode }) => {
              const shown = sharesOf(tokens, byMode)
              return (
                <tr key={day}>
                  <th scope="row">{formatCalendarDay(day)}</th>
                  {modes.map((mode) => (
                    <td key={mode}>
                      {formatCount(shown.find((share) => share.mode === mode)?.tokens ?? 0)}
                    </td>
                  ))}
                  <td>{formatCount(tokens)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </details>
  )
}
