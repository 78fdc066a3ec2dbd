import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { User } from '../../contract/account.ts'
import { createStatement } from './statement.ts'
import { environment } from '../../lib/environment.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { withErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { Loading, Shape } from '../../ui/Loading.tsx'
import { RetryNotice } from '../../ui/Notice.tsx'
import { keepFocus } from '../../ui/take-focus.ts'
import { TokensLeft } from './TokensLeft.tsx'
import { useFreshUser } from '../session/use-user.ts'
import { formatMonth, monthsSince } from './days.ts'
import { Filters } from './Filters.tsx'
import { Statement } from './Statement.tsx'

const statement = createStatement()

/** /tokens: a month of the tokens, by day and session. The HTML of the page has the heading and the shape. */
export default withErrorBoundary('your tokens', Tokens)

function Tokens() {
  const user = useFreshUser(statement.load)
  return (
    <>
      <header className="page-head statement-head">
        <h1>Your tokens</h1>
        <TokensLeft user={user} />
      </header>
      <div className="statement">{user === null ? <Shape /> : <Month user={user} />}</div>
    </>
  )
}

function Month({ user }: { user: User }) {
  const filter = useStore(statement.$filter)
  const state = useStore(statement.$resource)
  const today = new Date(environment.clock.now()).toISOString()
  const months = monthsSince(user.createdAt, state.data?.currentMonth ?? today)
  useEffect(() => {
    const follow = () => void statement.follow()
    follow()
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  const month = filter.month || (months[0] ?? '')
  // A user who never had tokens has nothing to add up or to save.
  const isBlank =
    months.length === 1 && user.tokens.total === 0 && (state.data?.lines ?? []).length === 0
  return (
    <>
      {!isBlank && (
        <Filters filter={filter} month={month} months={months} onChange={statement.filter} />
      )}
      {state.status === 'failed' && (
        <RetryNotice onRetry={statement.load}>{state.message}</RetryNotice>
      )}
      {state.data === null && state.status === 'loading' && <Loading>Loading your tokens…</Loading>}
      {isBlank && state.data !== null && <Blank />}
      {state.data !== null && !isBlank && (
        <Statement
          data={state.data}
          filter={filter}
          isCurrent={state.data.month === months[0]}
          isBusy={state.status === 'loading'}
          onChange={statement.filter}
          files={<Files month={month} />}
          older={state.data.isWhole ? null : <Older />}
        />
      )}
    </>
  )
}

function Blank() {
  return (
    <div className="stack">
      <p>
        No tokens yet. What you get and use will appear here, by day and session. Your dashboard
        shows what to do next.
      </p>
      <p className="row">
        <ButtonLink look="primary" href="/dashboard">
          Go to Dashboard
        </ButtonLink>
      </p>
    </div>
  )
}

function Older() {
  const isBusy = useStore(statement.more.$isBusy)
  return (
    <p className="row">
      <Button
        size="small"
        isBusy={isBusy}
        onClick={({ currentTarget }) => {
          const days = currentTarget.closest<HTMLElement>('.statement-days')
          const rows = () => days?.querySelectorAll<HTMLElement>('tbody > tr') ?? []
          const shown = rows().length
          // After the last page the button is gone, and the first new row is what comes next.
          void statement.more.run().then(() => keepFocus(rows()[shown] ?? days))
        }}
      >
        Show older
      </Button>
    </p>
  )
}

function Files({ month }: { month: string }) {
  const isSaving = useStore(statement.download.$isBusy)
  return (
    <div className="row statement-files">
      <Button
        size="small"
        isBusy={isSaving}
        busyLabel="Preparing the file…"
        onClick={() => void statement.download.run(month)}
      >
        {`Save ${formatMonth(month)} as CSV`}
      </Button>
      <Button size="small" isBusy={isSaving} onClick={() => void statement.download.run('')}>
        Save all months
      </Button>
      <p className="small muted">Times and months are in UTC, as on your dashboard.</p>
    </div>
  )
}
