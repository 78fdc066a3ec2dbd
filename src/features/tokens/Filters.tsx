import { useId } from 'react'
import { LEDGER_KINDS, USAGE_MODES } from '../../contract/kinds.ts'
import type { LedgerKind, UsageMode } from '../../contract/usage.ts'
import type { StatementFilter } from './statement.ts'
import { Button } from '../../ui/Button.tsx'
import { MODE_NAMES } from '../../lib/usage-modes.ts'
import { formatMonth } from './days.ts'

const KINDS = {
  use: 'Used',
  grant: 'Bought',
  trial: 'Trial',
  reversal: 'Removed',
  restoration: 'Restored',
  adjustment: 'Adjusted by support',
} as const satisfies Record<LedgerKind, string>

interface Props {
  filter: StatementFilter
  /** The one that is shown. */
  month: string
  /** Newest first. */
  months: readonly string[]
  onChange: (change: Partial<StatementFilter>) => Promise<void>
}

/** The month, the kinds shown, and a search. */
export function Filters({ filter, month, months, onChange }: Props) {
  const id = useId()
  const place = months.indexOf(month)
  const isShow = (value: string): value is StatementFilter['show'] =>
    value === '' || LEDGER_KINDS.some((kind) => kind === value) || isMode(value)
  return (
    <div className="row statement-filters">
      <div className="months">
        <Step label="Previous month" mark="‹" month={months[place + 1]} onChange={onChange} />
        <label className="visually-hidden" htmlFor={`${id}month`}>
          Month
        </label>
        <select
          id={`${id}month`}
          className="input"
          value={month}
          onChange={(event) => void onChange({ month: event.currentTarget.value })}
        >
          {(place === -1 ? [month, ...months] : months).map((value) => (
            <option key={value} value={value}>
              {formatMonth(value)}
            </option>
          ))}
        </select>
        <Step label="Next month" mark="›" month={months[place - 1]} onChange={onChange} />
      </div>
      <label className="visually-hidden" htmlFor={`${id}show`}>
        Show
      </label>
      <select
        id={`${id}show`}
        className="input"
        value={filter.show}
        onChange={({ currentTarget: { value } }) => {
          if (isShow(value)) void onChange({ show: value })
        }}
      >
        <option value="">Everything</option>
        {LEDGER_KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {KINDS[kind]}
          </option>
        ))}
        <optgroup label="Mode">
          {USAGE_MODES.map((mode) => (
            <option key={mode} value={mode}>
              {MODE_NAMES[mode]}
            </option>
          ))}
        </optgroup>
      </select>
      <label className="visually-hidden" htmlFor={`${id}search`}>
        Search this month
      </label>
      <input
        id={`${id}search`}
        className="input"
        type="search"
        placeholder="Search"
        value={filter.search}
        onChange={(event) => void onChange({ search: event.currentTarget.value })}
      />
    </div>
  )
}

const isMode = (value: string): value is UsageMode => USAGE_MODES.some((mode) => mode === value)

interface StepProps {
  label: string
  mark: string
  /** Undefined at the end of the list. */
  month: string | undefined
  onChange: Props['onChange']
}

function Step({ label, mark, month, onChange }: StepProps) {
  return (
    <Button
      aria-label={label}
      isBusy={month === undefined}
      onClick={() => void onChange({ month: month ?? '' })}
    >
      {mark}
    </Button>
  )
}
