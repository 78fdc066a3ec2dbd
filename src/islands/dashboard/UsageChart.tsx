import { formatCalendarDay } from '../../lib/dates.ts'
import { formatCount } from '../../lib/numbers.ts'

interface Props {
  /** One entry a day, oldest first. */
  days: readonly { day: string; tokens: number }[]
}

const HEIGHT = 120
const STEP = 12
const GAP = 3

/** Bars for the days; the newest one with tokens carries the marker. A table says the same beside it. */
export function UsageChart({ days }: Props) {
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
          <Bar key={day} x={index * STEP} share={tokens / max} isLive={index === days.length - 1}>
            {`${formatCalendarDay(day)}: ${formatCount(tokens)}`}
          </Bar>
        ))}
      </svg>
      <figcaption>
        <span>{formatCalendarDay(first.day)}</span>
        <span>{formatCalendarDay(last.day)}</span>
      </figcaption>
    </figure>
  )
}

interface BarProps {
  x: number
  /** 0 to 1. */
  share: number
  isLive: boolean
  children: string
}

function Bar({ x, share, isLive, children }: BarProps) {
  // A day with few tokens still shows, a day without any leaves a hairline.
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
