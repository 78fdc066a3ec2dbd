import { formatCalendarDay } from '../../lib/dates.ts'
import { formatCount } from '../../lib/numbers.ts'
import type { ResourceState } from '../../stores/resource.ts'
import { Panel } from '../../ui/Panel.tsx'
import { RetryNotice } from '../../ui/Notice.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { usage } from './store.ts'
import { UsageChart } from './UsageChart.tsx'

interface Day {
  day: string
  tokens: number
}

interface Props {
  state: ResourceState<{ days: Day[] }>
  /** Whether the user has ever used tokens. Reserves the height of the chart while it loads. */
  hasUse: boolean
}

export function UsagePanel(props: Props) {
  return (
    <Panel title="Last 30 days">
      <UsageBody {...props} />
    </Panel>
  )
}

function UsageBody({ state, hasUse }: Props) {
  if (state.data !== null) return <UsageDays days={state.data.days} />
  if (state.status === 'loading') {
    return (
      <div className="usage-wait" data-has-use={hasUse}>
        <Loading>Loading your usage…</Loading>
      </div>
    )
  }
  return <RetryNotice onRetry={usage.load}>We could not load your usage.</RetryNotice>
}

function UsageDays({ days }: { days: Day[] }) {
  const total = days.reduce((sum, { tokens }) => sum + tokens, 0)
  if (total === 0) {
    return (
      <div className="overlay empty-overlay">
        <span className="overlay-tag">only you see this</span>
        <p>No tokens used yet. What the app uses each day shows up here.</p>
      </div>
    )
  }
  return (
    <>
      <p className="panel-lead">
        {formatCount(total)} tokens used · <a href="/tokens">See history</a>
      </p>
      <UsageChart days={days} />
      <details className="chart-table">
        <summary>Show as a table</summary>
        <div className="table-scroll" role="region" aria-label="Tokens used per day" tabIndex={0}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">Tokens</th>
              </tr>
            </thead>
            <tbody>
              {days
                .filter(({ tokens }) => tokens > 0)
                .toReversed()
                .map(({ day, tokens }) => (
                  <tr key={day}>
                    <td>{formatCalendarDay(day)}</td>
                    <td>{formatCount(tokens)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  )
}
