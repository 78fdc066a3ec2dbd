import { type PointerEvent, useState } from 'react'
import { formatCalendarDay } from '../../lib/dates.ts'
import { formatCompact, formatCount, roundUp } from '../../lib/numbers.ts'

interface Day {
  day: string
  tokens: number
}

const HEIGHT = 120
const STEP = 12
const GAP = 3

/** A bar for each day, oldest first; the last one is highlighted. Pointer and arrow keys show the figure of a day. */
export function UsageChart({ days }: { days: readonly Day[] }) {
  const [chosen, setChosen] = useState<number | null>(null)
  const max = Math.max(...days.map(({ tokens }) => tokens), 1)
  const top = roundUp(max)
  const first = days.at(0)
  const last = days.at(-1)
  if (first === undefined || last === undefined) return null
  const middle = days[Math.floor(days.length / 2)] ?? last
  const shown = days[chosen ?? days.length - 1] ?? last
  const point = (event: PointerEvent<HTMLInputElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const index = Math.floor(((event.clientX - left) / width) * days.length)
    setChosen(Math.min(days.length - 1, Math.max(0, index)))
  }
  return (
    <figure className="chart">
      <p className="chart-shown">
        <strong>{formatCount(shown.tokens)}</strong> tokens on {formatCalendarDay(shown.day)}
      </p>
      <div className="chart-plot">
        <ol className="chart-ticks" aria-hidden="true">
          {[top, top / 2, 0].map((tick) => (
            <li key={tick}>{tick > 0 && formatCompact(tick)}</li>
          ))}
        </ol>
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
              share={tokens / top}
              isLive={index === days.length - 1}
              isChosen={index === chosen}
            />
          ))}
        </svg>
        <input
          type="range"
          min={0}
          max={days.length - 1}
          value={chosen ?? days.length - 1}
          aria-label="Day"
          aria-valuetext={`${formatCalendarDay(shown.day)}: ${formatCount(shown.tokens)} tokens`}
          onChange={(event) => setChosen(event.currentTarget.valueAsNumber)}
          onPointerMove={point}
          onPointerLeave={() => setChosen(null)}
        />
      </div>
      <figcaption>
        {[first, middle, last].map(({ day }) => (
          <span key={day}>{formatCalendarDay(day)}</span>
        ))}
      </figcaption>
    </figure>
  )
}

interface ChartBarProps {
  x: number
  /** 0 to 1. */
  share: number
  isLive: boolean
  isChosen: boolean
}

function ChartBar({ x, share, isLive, isChosen }: ChartBarProps) {
  // Days with few tokens stay visible; days without tokens get a hairline.
  const height = share === 0 ? 1 : Math.max(3, share * HEIGHT)
  return (
    <rect
      className={isLive ? 'chart-bar chart-bar-live' : 'chart-bar'}
      data-empty={share === 0}
      data-chosen={isChosen}
      x={x + GAP / 2}
      y={HEIGHT - height}
      width={STEP - GAP}
      height={height}
    />
  )
}
