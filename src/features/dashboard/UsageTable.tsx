import type { UsageDay } from '../../contract/usage.ts'
import { formatCalendarDay } from '../../lib/dates.ts'
import { formatCount } from '../../lib/numbers.ts'
import { MODE_NAMES, type Share, sharesOf } from '../../lib/usage-modes.ts'

interface Props {
  days: readonly UsageDay[]
  shares: readonly Share[]
}

/** The figures of the chart as a table. */
export default function UsageTable({ days, shares }: Props) {
  const used = days.filter(({ tokens }) => tokens > 0).reverse()
  const modes = shares.filter(({ tokens }) => tokens > 0).map(({ mode }) => mode)
  return (
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
  )
}
