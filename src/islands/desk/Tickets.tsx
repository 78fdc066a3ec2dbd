import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { type TicketRow, TicketState } from '../../contract/desk-inbox.ts'
import { formatAgo } from '../../lib/dates.ts'
import { deps } from '../../stores/browser.ts'
import { createTickets } from '../../stores/desk-inbox.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { RetryNotice } from '../../ui/Notice.tsx'
import { stepUp } from '../settings/step-up.ts'
import { States } from './DeskNav.tsx'

/** The tickets of one state, by their age. */
export function Tickets({ query }: { query: URLSearchParams }) {
  const state = TicketState.catch('new').parse(query.get('state'))
  const after = query.get('after')
  const [store] = useState(() =>
    createTickets(
      { ...deps, confirmed: stepUp.confirmed },
      { state, ...(after === null ? {} : { after }) },
    ),
  )
  const resource = useStore(store.$resource)
  useEffect(() => {
    void store.load()
  }, [store])
  return (
    <section className="card panel" aria-labelledby="tickets-title">
      <h2 id="tickets-title">Tickets</h2>
      <States label="Tickets by state" show="tickets" states={TicketState.options} state={state} />
      {resource.status === 'failed' && (
        <RetryNotice onRetry={store.load}>{resource.message}</RetryNotice>
      )}
      {resource.status === 'loading' && <Loading>Loading tickets…</Loading>}
      {resource.status === 'ready' && <List {...resource.data} state={state} />}
    </section>
  )
}

interface ListProps {
  tickets: readonly TicketRow[]
  hasMore: boolean
  state: string
}

function List({ tickets, hasMore, state }: ListProps) {
  const last = tickets.at(-1)
  if (last === undefined) return <p className="empty">No ticket is in this state.</p>
  const next = new URLSearchParams({ show: 'tickets', state, after: String(last.number) })
  return (
    <>
      <ul className="rows">
        {tickets.map((ticket) => (
          <Row key={ticket.number} ticket={ticket} />
        ))}
      </ul>
      {hasMore && <a href={`/desk?${next.toString()}`}>More tickets</a>}
    </>
  )
}

const TONES = { low: 'gray', medium: 'orange', high: 'red' } as const

function Row({ ticket }: { ticket: TicketRow }) {
  const { number, email, severity, isFeatureRequest, begins, at } = ticket
  const now = deps.environment.clock.now()
  return (
    <li>
      <div>
        <p>
          <a href={`/desk?ticket=${String(number)}`}>T-{number}</a>{' '}
          <Badge tone={TONES[severity]}>{severity}</Badge>{' '}
          {isFeatureRequest && <Badge tone="gray">wish</Badge>} {begins}
        </p>
        <p className="row-note">
          {email} · <time dateTime={at}>{formatAgo(at, now)}</time>
        </p>
      </div>
    </li>
  )
}
