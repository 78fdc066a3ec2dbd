import type { ReactNode } from 'react'
import type { TokensByMode } from '../../contract/usage.ts'
import { formatCount } from '../../lib/numbers.ts'
import type { StatementFilter } from './statement.ts'
import { Button } from '../../ui/Button.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { leave } from '../../ui/take-focus.ts'
import { MODE_NAMES, type Share, sharesOf } from '../../lib/usage-modes.ts'
import {
  type Day,
  daysOf,
  formatClock,
  formatMonth,
  formatWeekday,
  type Line,
  REASONS,
  signed,
} from './days.ts'

interface Props {
  data: Parameters<typeof daysOf>[0] & {
    month: string
    opening: number
    used: number
    byMode: TokensByMode
  }
  filter: StatementFilter
  /** The month has not ended. */
  isCurrent: boolean
  /** Another month is loading. */
  isBusy: boolean
  onChange: (change: Partial<StatementFilter>) => Promise<void>
  /** The month as a file. */
  files: ReactNode
  /** Shows older entries of the month; null when there are none. */
  older: ReactNode
}

/** The sums of a month, and its lines by day. */
export function Statement({ data, filter, isCurrent, isBusy, onChange, files, older }: Props) {
  const { month, opening, closing, used } = data
  const days = daysOf(data, filter)
  const isFiltered = filter.show !== '' || filter.search !== ''
  const name = formatMonth(month)
  return (
    <>
      <aside className="statement-sums" aria-label={`Totals for ${name}`} aria-busy={isBusy}>
        <dl>
          <Fact name="Opening balance">{formatCount(opening)}</Fact>
          <Fact name="Added">{formatCount(closing - opening + used)}</Fact>
          <Fact name="Used">{formatCount(used)}</Fact>
          <Fact name={isCurrent ? 'Balance now' : 'Closing balance'}>{formatCount(closing)}</Fact>
        </dl>
        {used > 0 && (
          <ul className="shares">
            {sharesOf(used, data.byMode).map((share) => (
              <ShareBar key={share.mode} share={share} show={filter.show} onChange={onChange} />
            ))}
          </ul>
        )}
        {/* Once in each place, so that Tab follows the eye; the stylesheet shows one. */}
        {files}
      </aside>
      <div className="statement-days" aria-busy={isBusy}>
        <p className="visually-hidden" role="status">
          {`${formatCount(days.reduce((sum, { lines }) => sum + lines.length, 0))} entries shown`}
        </p>
        {days.length > 0 && <DayTable days={days} name={name} key={filter.show + month} />}
        {days.length === 0 && (
          <p className="muted">
            {isFiltered ? `No matches in ${name}.` : `No activity in ${name}.`}
          </p>
        )}
        {days.length === 0 && isFiltered && (
          <Button
            size="small"
            onClick={({ currentTarget }) => {
              leave(currentTarget)
              void onChange({ show: '', search: '' })
            }}
          >
            Show everything
          </Button>
        )}
        {older}
      </div>
      {files}
    </>
  )
}

interface ShareProps {
  share: Share
  show: StatementFilter['show']
  onChange: Props['onChange']
}

/** A mode's share of the use. Pressing it shows only its sessions, pressing it again all. */
function ShareBar({ share: { mode, tokens, percent }, show, onChange }: ShareProps) {
  const bar = (
    <>
      <span>{MODE_NAMES[mode]}</span>
      <span className="small muted">{`${formatCount(tokens)} · ${percent}%`}</span>
      <span className="progress-bar" aria-hidden="true">
        <span data-mode={mode} style={{ inlineSize: `${percent}%` }} />
      </span>
    </>
  )
  return (
    <li>
      {mode === 'other' ? (
        <p className="share">{bar}</p>
      ) : (
        <button
          type="button"
          className="share"
          aria-pressed={show === mode}
          onClick={() => void onChange({ show: show === mode ? '' : mode })}
        >
          {bar}
        </button>
      )}
    </li>
  )
}

function DayTable({ days, name }: { days: readonly Day[]; name: string }) {
  return (
    <table className="days">
      <caption className="visually-hidden">{`Token changes in ${name}`}</caption>
      <thead>
        <tr>
          <th scope="col">Entry</th>
          <th scope="col">Tokens</th>
          <th scope="col">Balance</th>
        </tr>
      </thead>
      {days.map(({ day, tokens, lines }) => (
        <tbody key={day}>
          {lines.length > 1 && (
            <tr className="days-head">
              <th scope="rowgroup">
                <Weekday day={day} />
              </th>
              <td>{signed(tokens)}</td>
              <td />
            </tr>
          )}
          {lines.map((line) => (
            <tr key={line.id}>
              <th scope="row" data-mode={line.kind === 'use' ? (line.mode ?? 'other') : undefined}>
                {lines.length === 1 && <Weekday day={day} />}{' '}
                <span>
                  <What line={line} />
                </span>{' '}
                <small>{timesOf(line)}</small>
              </th>
              <td>{signed(line.tokens)}</td>
              <td>{formatCount(line.balance)}</td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  )
}

/** The day in a head. A day of one line has no head, because it would repeat the line. */
function Weekday({ day }: { day: string }) {
  return (
    <time className="days-day" dateTime={day}>
      {formatWeekday(day)}
    </time>
  )
}

function What({ line: { kind, purchaseId, item, title } }: { line: Line }) {
  if (purchaseId === null || kind === 'use' || kind === 'trial' || kind === 'adjustment') {
    return title
  }
  return (
    <>
      {REASONS[kind]} <a href={`/receipt?id=${purchaseId}`}>{item ?? 'a purchase'}</a>
    </>
  )
}

/** `10:02–10:47 · 14 uses` */
function timesOf({ firstAt, createdAt, count }: Line): string {
  const [first, last] = [formatClock(firstAt), formatClock(createdAt)]
  const span = first === last ? first : `${first}–${last}`
  return count === 1 ? span : `${span} · ${formatCount(count)} uses`
}
