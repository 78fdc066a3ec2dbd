import { type ComponentProps, type PointerEvent, useState } from 'react'
import type { Tokens } from '../../contract/account.ts'
import type { UsageDay } from '../../contract/usage.ts'
import { formatCalendarDay, ownDay } from '../../lib/dates.ts'
import { formatCompact, formatCount, roundUp } from '../../lib/numbers.ts'
import { paceOf } from '../../lib/pace.ts'
import { MODE_NAMES, sharesOf } from '../../lib/usage-modes.ts'
import { RetryNotice } from '../../ui/Notice.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import type { ResourceState } from '../resource/resource.ts'
import { usage } from './store.ts'

const UsageTable = onDemand('the table', () => import('./UsageTable.tsx'))

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
            {days.length > 0 ? `${MODE_NAMES[mode]} ${percent}%` : MODE_NAMES[mode]}
          </li>
        ))}
      </ul>
      <p className="chart-note">
        {pace.average > 0 && `${formatCount(pace.average)} tokens a day on average`}
      </p>
      <TableOfDays days={days} shares={shares} />
    </>
  )
}

function sumOf(days: readonly UsageDay[], mode: keyof UsageDay['byMode']): number {
  return days.reduce((sum, { byMode }) => sum + byMode[mode], 0)
}

/** The figures of the chart as a table, which loads when it is opened. */
function TableOfDays(props: ComponentProps<typeof UsageTable>) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      className="chart-table"
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>Show as a table</summary>
      {isOpen && <UsageTable {...props} />}
    </details>
  )
}

const HEIGHT = 120
const STEP = 12
const GAP = 3
const COUNT = 30

interface ChartProps {
  /** Oldest first; none while they load. */
  days: readonly UsageDay[]
  /** Tokens a day. */
  average: number
}

/** A bar for each day in the tones of its modes, and a line for the average. Pointer and arrow keys read a day out. */
function UsageChart({ days, average }: ChartProps) {
  const [chosen, setChosen] = useState<number | null>(null)
  const max = Math.max(...days.map(({ tokens }) => tokens), 1)
  const top = roundUp(max)
  const [first, middle, last] = [days.at(0), days[Math.floor(days.length / 2)], days.at(-1)]
  const shown = days[chosen ?? days.length - 1] ?? last
  const point = (event: PointerEvent<HTMLInputElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const index = Math.floor(((event.clientX - left) / width) * days.length)
    setChosen(Math.min(days.length - 1, Math.max(0, index)))
  }
  return (
    <figure className="chart">
      <p className="chart-shown">{shown && <ReadOut day={shown} isToday={shown === last} />}</p>
      <div className="chart-plot">
        <ol className="chart-ticks" aria-hidden="true">
          {[top, top / 2, 0].map((tick) => (
            <li key={tick}>{tick > 1 && formatCompact(tick)}</li>
          ))}
        </ol>
        <svg
          viewBox={`0 0 ${COUNT * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={
            first && last
              ? `Tokens used per day, from ${formatCalendarDay(first.day)} to ${formatCalendarDay(last.day)}; at most ${formatCount(max)} a day, ${formatCount(average)} on average`
              : 'Loading'
          }
          data-chosen={chosen !== null}
        >
          {days.map((day, index) => (
            <Bar key={day.day} day={day} x={index * STEP} top={top} isChosen={index === chosen} />
          ))}
          {average > 0 && (
            <path className="chart-average" d={`M0 ${yOf(average, top)}H${COUNT * STEP}`} />
          )}
        </svg>
        <input
          type="range"
          min={0}
          max={COUNT - 1}
          value={chosen ?? COUNT - 1}
          aria-label="Day"
          aria-valuetext={shown && `${formatCalendarDay(shown.day)}: ${inWords(shown)}`}
          onChange={(event) => setChosen(event.currentTarget.valueAsNumber)}
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setChosen(null)}
        />
      </div>
      <figcaption>
        <span>{first && formatCalendarDay(first.day)}</span>
        <span>{middle && formatCalendarDay(middle.day)}</span>
        <span>{todayOf(days)}</span>
      </figcaption>
    </figure>
  )
}

/** "Today" is the last of these days, which are UTC's: it says so where the reader's date is another one. */
function todayOf(days: readonly UsageDay[]): string {
  const last = days.at(-1)?.day
  return last === undefined || last === ownDay(new Date()) ? 'Today' : 'Today (UTC)'
}

const yOf = (tokens: number, top: number) => HEIGHT - (tokens / top) * HEIGHT

function ReadOut({ day, isToday }: { day: UsageDay; isToday: boolean }) {
  const parts = sharesOf(day.tokens, day.byMode).filter(({ tokens }) => tokens > 0)
  return (
    <>
      <strong>{formatCount(day.tokens)}</strong>
      <span>{` tokens ${isToday ? todayOf([day]).replace('T', 't') : `on ${formatCalendarDay(day.day)}`}`}</span>
      <span className="modes">
        {parts.map(({ mode, tokens }) => (
          <span key={mode} data-mode={mode}>
            {`${MODE_NAMES[mode]} ${formatCount(tokens)}`}
          </span>
        ))}
      </span>
    </>
  )
}

function inWords({ tokens, byMode }: UsageDay): string {
  const parts = sharesOf(tokens, byMode).filter((share) => share.tokens > 0)
  const modes = parts.map((share) => `${MODE_NAMES[share.mode]} ${formatCount(share.tokens)}`)
  return [`${formatCount(tokens)} tokens`, ...modes].join(', ')
}

interface BarProps {
  day: UsageDay
  x: number
  /** The tokens at the top of the scale. */
  top: number
  isChosen: boolean
}

/** The modes of a day, stacked. A day without use gets a hairline. */
function Bar({ day, x, top, isChosen }: BarProps) {
  const place = { x: x + GAP / 2, width: STEP - GAP }
  if (day.tokens === 0) {
    return <rect {...place} className="chart-bar" data-empty="" y={HEIGHT - 1} height={1} />
  }
  let below = 0
  return (
    <g className="chart-bar" data-chosen={isChosen}>
      {sharesOf(day.tokens, day.byMode).map(({ mode, tokens }) => {
        if (tokens === 0) return null
        below += tokens
        // Small values stay visible.
        const height = Math.max(2, (tokens / top) * HEIGHT)
        return <rect key={mode} {...place} data-mode={mode} y={yOf(below, top)} height={height} />
      })}
    </g>
  )
}
