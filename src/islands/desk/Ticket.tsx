import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { TicketState } from '../../contract/desk-inbox.ts'
import { formatMinute } from '../../lib/dates.ts'
import { deps } from '../../stores/browser.ts'
import { createTicket } from '../../stores/desk-inbox.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { RetryNotice } from '../../ui/Notice.tsx'
import { stepUp } from '../settings/step-up.ts'
import { Customer } from './Customer.tsx'
import { Handling } from './Handling.tsx'

/** A ticket with what was written about it, and its sender's page beside it. */
export function Ticket({ number }: { number: string }) {
  const [store] = useState(() => createTicket({ ...deps, confirmed: stepUp.confirmed }, number))
  const resource = useStore(store.$resource)
  useEffect(() => {
    void store.load()
  }, [store])
  if (resource.status === 'failed') {
    return <RetryNotice onRetry={store.load}>{resource.message}</RetryNotice>
  }
  if (resource.data === null) return <Loading>Loading the ticket…</Loading>
  const { ticket, userId, entries, answers } = resource.data
  return (
    <div className="desk-beside">
      <section className="card panel" aria-labelledby="ticket-title">
        <h2 id="ticket-title">T-{ticket.number}</h2>
        <p className="desk-badges">
          <Badge tone={ticket.state === 'closed' ? 'gray' : 'orange'}>{ticket.state}</Badge>
          <Badge tone={ticket.severity === 'high' ? 'red' : 'gray'}>{ticket.severity}</Badge>
          {ticket.isFeatureRequest && <Badge tone="gray">wish</Badge>}
        </p>
        <dl className="facts">
          <Fact name="From">{ticket.email}</Fact>
          <Fact name="Sent">{formatMinute(ticket.at)}</Fact>
          <Fact name="Account">
            {userId === null ? (
              'none with this address'
            ) : (
              <a href={`/desk?user=${userId}`}>Its page</a>
            )}
          </Fact>
        </dl>
        <p className="desk-words">{ticket.query}</p>
        <Handling
          submission={ticket}
          states={TicketState.options}
          next="answered"
          entries={entries}
          answers={answers}
          onDone={store.load}
        />
      </section>
      {userId !== null && (
        <div className="stack">
          <p className="small muted">
            Anybody can write any address into the form. Ask for nothing and tell nothing that only
            the account&apos;s user may know, unless they wrote back from this address.
          </p>
          <Customer userId={userId} />
        </div>
      )}
    </div>
  )
}
