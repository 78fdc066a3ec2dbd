import { useStore } from '@nanostores/react'
import { useEffect, useId } from 'react'
import type { User } from '../../contract/account.ts'
import { type LedgerEntry, LedgerKind } from '../../contract/usage.ts'
import { formatMonth, formatUtcMinute, monthsSince } from '../../lib/dates.ts'
import { formatCount } from '../../lib/numbers.ts'
import { saveFile } from '../../lib/save-file.ts'
import { deps } from '../../stores/browser.ts'
import { createLedger } from '../../stores/ledger.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { RetryNotice } from '../../ui/Notice.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { Shape } from '../../ui/Shape.tsx'
import { useUser } from '../session/use-user.ts'

const ledger = createLedger({
  ...deps,
  saveFile: (name, text) => {
    saveFile(name, text, 'text/csv')
  },
})

const KINDS = {
  grant: 'Bought',
  trial: 'Trial',
  use: 'Used',
  reversal: 'Taken back',
  restoration: 'Given back',
  adjustment: 'By our support',
} as const satisfies Record<LedgerKind, string>

const MODES = {
  interview: 'In an interview',
  meeting: 'In a meeting',
  sales: 'In a sales call',
  negotiation: 'In a negotiation',
} as const satisfies Record<NonNullable<LedgerEntry['mode']>, string>

/** /tokens: every change of the tokens with its reason. The HTML of the page has the heading and the shape. */
export default function Tokens() {
  const user = useUser()
  return (
    <ErrorBoundary of="your tokens">
      <section className="card panel" aria-labelledby="ledger-title">
        <h2 id="ledger-title">Every change</h2>
        {user === null ? <Shape /> : <Ledger user={user} />}
      </section>
    </ErrorBoundary>
  )
}

function Ledger({ user }: { user: User }) {
  useEffect(() => {
    void ledger.load()
  }, [])
  return (
    <>
      <Filters createdAt={user.createdAt} />
      <Entries />
    </>
  )
}

function Filters({ createdAt }: { createdAt: string }) {
  const id = useId()
  const { month, kind } = useStore(ledger.$filter)
  const isSaving = useStore(ledger.$isSaving)
  const months = monthsSince(createdAt, Date.now())
  return (
    <div className="receipt-books">
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
      <Button isBusy={isSaving} busyLabel="Preparing the file…" onClick={() => void ledger.save()}>
        Save as CSV
      </Button>
    </div>
  )
}

function Entries() {
  const state = useStore(ledger.$ledger)
  const { status } = state
  const entries = state.data?.entries ?? []
  return (
    <>
      <p className="visually-hidden" role="status">
        {status === 'ready' && `${formatCount(entries.length)} entries shown`}
      </p>
      {entries.length > 0 && <EntryTable entries={entries} />}
      {entries.length === 0 && status === 'loading' && <Loading>Loading your tokens…</Loading>}
      {entries.length === 0 && status === 'ready' && <p className="empty">No such entries.</p>}
      {state.status === 'failed' && (
        <RetryNotice onRetry={ledger.load}>{state.message}</RetryNotice>
      )}
      {state.data !== null && state.data.nextCursor !== null && (
        <Button size="small" isBusy={status === 'loading'} onClick={() => void ledger.loadMore()}>
          Show more
        </Button>
      )}
      <p className="row-note">Times and months are in UTC, as in the chart on your dashboard.</p>
    </>
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
  if (kind === 'adjustment') return tokens > 0 ? 'Given by our support' : 'Taken by our support'
  if (kind === 'trial' || purchaseId === null) return 'To try the app'
  return (
    <>
      {REASONS[kind]} <a href={`/receipt?id=${purchaseId}`}>{item ?? 'a purchase'}</a>
    </>
  )
}

const REASONS = {
  grant: 'Paid:',
  reversal: 'Money went back for',
  restoration: 'Money came again for',
} as const
