import { useStore } from '@nanostores/react'
import { useId } from 'react'
import { type LedgerEntry, LedgerKind } from '../../contract/usage.ts'
import { formatMonth, formatUtcMinute, monthsSince } from '../../lib/dates.ts'
import { formatCount } from '../../lib/numbers.ts'
import { saveFile } from '../../lib/save-file.ts'
import { deps } from '../../stores/browser.ts'
import { createLedger } from '../../stores/ledger.ts'
import { Button } from '../../ui/Button.tsx'
import { withErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { Shape } from '../../ui/Loading.tsx'
import { PagedList } from '../resource/PagedList.tsx'
import { useUser } from '../session/use-user.ts'

const ledger = createLedger({
  ...deps,
  saveFile: (name, text) => saveFile(name, text, 'text/csv'),
})

const KINDS = {
  grant: 'Bought',
  trial: 'Trial',
  use: 'Used',
  reversal: 'Removed',
  restoration: 'Restored',
  adjustment: 'Adjusted by support',
} as const satisfies Record<LedgerKind, string>

const MODES = {
  interview: 'In an interview',
  meeting: 'In a meeting',
  sales: 'In a sales call',
  negotiation: 'In a negotiation',
} as const satisfies Record<NonNullable<LedgerEntry['mode']>, string>

/** /tokens: every change of the tokens with its reason. The HTML of the page has the heading and the shape. */
export default withErrorBoundary('your tokens', Tokens)

function Tokens() {
  const user = useUser()
  return (
    <Panel title="History">
      {user === null ? (
        <Shape />
      ) : (
        <>
          <Filters createdAt={user.createdAt} />
          <PagedList pages={ledger.entries} loading="Loading your tokens…" empty="No such entries.">
            {(entries) => <EntryTable entries={entries} />}
          </PagedList>
          <p className="row-note">
            Times and months are in UTC, as in the chart on your dashboard.
          </p>
        </>
      )}
    </Panel>
  )
}

function Filters({ createdAt }: { createdAt: string }) {
  const id = useId()
  const { month, kind } = useStore(ledger.$filter)
  const isBusy = useStore(ledger.download.$isBusy)
  const months = monthsSince(createdAt, Date.now())
  return (
    <div className="filters">
      <SelectField
        id={`${id}month`}
        name="month"
        label="Month"
        value={month}
        options={[
          { value: '', label: 'All months' },
          ...months.map((value) => ({ value, label: formatMonth(value) })),
        ]}
        onValue={(value) => void ledger.filter({ month: value })}
      />
      <SelectField
        id={`${id}kind`}
        name="kind"
        label="Kind"
        value={kind}
        options={[
          { value: '', label: 'All kinds' },
          ...LedgerKind.options.map((value) => ({ value, label: KINDS[value] })),
        ]}
        onValue={(value) => void ledger.filter({ kind: LedgerKind.safeParse(value).data ?? '' })}
      />
      <Button
        isBusy={isBusy}
        busyLabel="Preparing the file…"
        onClick={() => void ledger.download.run()}
      >
        Save as CSV
      </Button>
    </div>
  )
}

function EntryTable({ entries }: { entries: readonly LedgerEntry[] }) {
  return (
    <div className="table-scroll" role="region" aria-label="Changes of your tokens" tabIndex={0}>
      <table className="table table-stacking">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">What</th>
            <th scope="col" className="num">
              Tokens
            </th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td>
                <time dateTime={entry.createdAt}>{formatUtcMinute(entry.createdAt)}</time>
              </td>
              <td>{KINDS[entry.kind]}</td>
              <td className="num">
                {entry.tokens > 0 ? '+' : '−'}
                {formatCount(Math.abs(entry.tokens))}
              </td>
              <td>
                <Reason entry={entry} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Reason({ entry: { kind, tokens, item, purchaseId, mode } }: { entry: LedgerEntry }) {
  if (kind === 'use') return mode === null ? 'The desktop app' : MODES[mode]
  if (kind === 'adjustment') return tokens > 0 ? 'Added by support' : 'Removed by support'
  if (kind === 'trial' || purchaseId === null) return 'To try the app'
  return (
    <>
      {REASONS[kind]} <a href={`/receipt?id=${purchaseId}`}>{item ?? 'a purchase'}</a>
    </>
  )
}

const REASONS = {
  grant: 'Paid:',
  reversal: 'Refund of',
  restoration: 'Refund reversed:',
} as const
