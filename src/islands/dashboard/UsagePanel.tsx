import { formatCalendarDay } from '../../lib/dates.ts'
import { formatCount } from '../../lib/numbers.ts'
import type { ResourceState } from '../../stores/resource.ts'
import { RetryNotice } from '../../ui/Notice.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { usage } from './store.ts'

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
    <section className="card panel" aria-labelledby="usage-title">
      <h2 id="usage-title">Last 30 days</h2>
      <UsageBody {...props} />
    </section>
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
      <p className="panel-lead">{formatCount(total)} tokens used</p>
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

interface ChartProps {
  /** One entry a day, oldest first. */
  days: readonly { day: string; tokens: number }[]
}

const HEIGHT = 120
const STEP = 12
const GAP = 3

/** A bar for each day; the last one is highlighted. */
function UsageChart({ days }: ChartProps) {
  const max = Math.max(...days.map(({ tokens }) => tokens), 1)
  const first = days.at(0)
  const last = days.at(-1)
  if (first === undefined || last === undefined) return null
  return (
    <figure className="chart">
      <p className="chart-max" aria-hidden="true">
        {formatCount(max)}
      </p>
      <svg
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Tokens used per day, from ${formatCalendarDay(first.day)} to ${formatCalendarDay(last.day)}; at most ${formatCount(max)} a day`}
      >
        {days.map(({ day, tokens }, index) => (
          <ChartBar
            key={day}
            x={index * STEP}
            share={tokens / max}
            isLive={index === days.length - 1}
          >
            {`${formatCalendarDay(day)}: ${formatCount(tokens)}`}
          </ChartBar>
        ))}
      </svg>
      <figcaption>
        <span>{formatCalendarDay(first.day)}</span>
        <span>{formatCalendarDay(last.day)}</span>
      </figcaption>
    </figure>
  )
}

interface ChartBarProps {
  x: number
  /** 0 to 1. */
  share: number
  isLive: boolean
  children: string
}

function ChartBar({ x, share, isLive, children }: ChartBarProps) {
  // Days with few tokens stay visible; days without tokens get a hairline.
  const height = share === 0 ? 1 : Math.max(3, share * HEIGHT)
  return (
    <rect
      className={isLive ? 'chart-bar chart-bar-live' : 'chart-bar'}
      data-empty={share === 0}
      x={x + GAP / 2}
      y={HEIGHT - height}
      width={STEP - GAP}
      height={height}
    >
      <title>{children}</title>
    </rect>
  )
}
