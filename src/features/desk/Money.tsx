import { type DayFigures, FIGURE_DAYS } from '../../contract/desk.ts'
import { CURRENCIES } from '../../contract/kinds.ts'
import type { Currency } from '../../contract/currency.ts'
import { dayAfter, formatCalendarDay } from '../../lib/dates.ts'
import { formatCount } from '../../lib/numbers.ts'
import { Panel } from '../../ui/Panel.tsx'
import { formatSum } from './formats.ts'

interface Props {
  days: readonly DayFigures[]
  /** Milliseconds since the epoch. */
  now: number
}

/** Sales and refunds: today beside yesterday, and the last thirty days as bars. */
export function Money({ days, now }: Props) {
  // The UTC days, today last.
  const today = new Date(now).toISOString().slice(0, 10)
  const calendar = Array.from({ length: FIGURE_DAYS }, (_, index) =>
    dayAfter(today, index + 1 - FIGURE_DAYS),
  )
  return (
    <Panel title="Money, by UTC day">
      <dl className="columns desk-figures">
        {CURRENCIES.flatMap((currency) =>
          (['soldMinor', 'refundedMinor'] as const).map((name) => {
            const minorOf = new Map(
              days.filter((day) => day.currency === currency).map((day) => [day.day, day[name]]),
            )
            return (
              <Figure
                key={`${currency} ${name}`}
                name={`${name === 'soldMinor' ? 'Sold' : 'Of which refunded'}, ${currency}`}
                currency={currency}
                minors={calendar.map((day) => minorOf.get(day) ?? 0)}
              />
            )
          }),
        )}
      </dl>
      <EachDay days={days} />
    </Panel>
  )
}

interface FigureProps {
  name: string
  currency: Currency
  /** Minor units of each day, today last. */
  minors: readonly number[]
}

function Figure({ name, currency, minors }: FigureProps) {
  const [before = 0, today = 0] = minors.slice(-2)
  const sum = minors.reduce((total, minor) => total + minor, 0)
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span className="figure-value">{formatSum(today, currency)}</span>{' '}
        <span className="row-note">{changeOf(today - before, currency)}</span>
        <Sparkline values={minors} />
        <span className="row-note">
          {formatSum(sum, currency)} in {FIGURE_DAYS} days
        </span>
      </dd>
    </div>
  )
}

function changeOf(changeMinor: number, currency: Currency): string {
  if (changeMinor === 0) return 'same as yesterday'
  const more = changeMinor > 0 ? 'more' : 'less'
  return `${formatSum(Math.abs(changeMinor), currency)} ${more} than yesterday`
}

const HEIGHT = 20
const STEP = 4

/** A bar for each day. The table beneath has the figures. */
function Sparkline({ values }: { values: readonly number[] }) {
  const top = Math.max(...values, 1)
  return (
    <svg
      className="desk-spark"
      viewBox={`0 0 ${values.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {values.map((value, index) => {
        const height = Math.max(1, (value / top) * HEIGHT)
        return (
          <rect
            key={index}
            data-empty={value === 0 ? '' : undefined}
            x={index * STEP}
            y={HEIGHT - height}
            width={STEP - 1}
            height={height}
          />
        )
      })}
    </svg>
  )
}

function EachDay({ days }: Pick<Props, 'days'>) {
  return (
    <details className="chart-table">
      <summary>Show by day</summary>
      <div className="table-scroll" tabIndex={0} role="region" aria-label="Each day">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Day</th>
              {['Sales', 'Sold', 'Refunded'].map((name) => (
                <th key={name} scope="col" className="num">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, currency, sales, soldMinor, refundedMinor }) => (
              <tr key={`${day} ${currency}`}>
                <th scope="row">{formatCalendarDay(day)}</th>
                <td className="num">{formatCount(sales)}</td>
                <td className="num">{formatSum(soldMinor, currency)}</td>
                <td className="num">{formatSum(refundedMinor, currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
