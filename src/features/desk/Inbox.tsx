import type { ReactNode } from 'react'
import { JobId, optionName } from '../../contract/careers.ts'
import { ApplicationState, TicketState } from '../../contract/desk-inbox.ts'
import { formatAgo } from '../../lib/ago.ts'
import { environment } from '../../lib/environment.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { stepUp } from '../factors/step-up.ts'
import { Loaded, useResource } from '../resource/Loaded.tsx'
import { DeskRow } from './DeskRow.tsx'
import { wordsOf } from './links.tsx'

const TONES = { low: 'gray', medium: 'orange', high: 'red' } as const

/** The tickets of one state, by their age. */
export function Tickets({ query }: { query: URLSearchParams }) {
  const filter = { show: 'tickets', state: TicketState.catch('new').parse(query.get('state')) }
  const list = useResource(() =>
    stepUp.call('GET /api/desk/tickets', { query: pageOf(query, filter) }),
  )
  const now = environment.clock.now()
  return (
    <Panel title="Tickets">
      <Filter label="Tickets by status" name="state" values={TicketState.options} filter={filter} />
      <Loaded resource={list} loading="Loading tickets…">
        {({ tickets, hasMore }) => (
          <Rows name="ticket" rows={tickets} hasMore={hasMore} filter={filter}>
            {tickets.map(({ number, email, severity, isFeatureRequest, begins, at }) => (
              <DeskRow
                key={number}
                subject={
                  <>
                    <a href={`/desk?ticket=${String(number)}`}>
                      <strong>{email}</strong>
                    </a>{' '}
                    {begins}
                  </>
                }
                badge={
                  <>
                    {isFeatureRequest && <Badge tone="gray">feature request</Badge>}{' '}
                    <Badge tone={TONES[severity]}>{severity}</Badge>
                  </>
                }
                id={`T-${String(number)}`}
                time={<time dateTime={at}>{formatAgo(at, now)}</time>}
              />
            ))}
          </Rows>
        )}
      </Loaded>
    </Panel>
  )
}

/** The applications of one state, for one job or all. */
export function Applications({ query }: { query: URLSearchParams }) {
  const state = ApplicationState.catch('new').parse(query.get('state'))
  const job = JobId.safeParse(query.get('job')).data
  const filter = { show: 'applications', state, ...(job && { job }) }
  const list = useResource(() =>
    stepUp.call('GET /api/desk/applications', {
      query: { ...pageOf(query, { state }), jobId: job },
    }),
  )
  const now = environment.clock.now()
  return (
    <Panel title="Applications">
      <Filter
        label="Applications by job"
        name="job"
        values={[undefined, ...JobId.options]}
        filter={filter}
      />
      <Filter
        label="Applications by status"
        name="state"
        values={ApplicationState.options}
        filter={filter}
      />
      <Loaded resource={list} loading="Loading applications…">
        {({ applications, hasMore }) => (
          <Rows name="application" rows={applications} hasMore={hasMore} filter={filter}>
            {applications.map(({ number, fullName, email, jobId, at, decidedAt }) => (
              <DeskRow
                key={number}
                subject={
                  <>
                    <a href={`/desk?application=${String(number)}`}>
                      <strong>{fullName}</strong>
                    </a>{' '}
                    {optionName(jobId)} · {email}
                  </>
                }
                id={`A-${String(number)}`}
                time={
                  <>
                    <time dateTime={at}>{formatAgo(at, now)}</time>
                    {decidedAt !== null && ` · decided ${formatAgo(decidedAt, now)}`}
                  </>
                }
              />
            ))}
          </Rows>
        )}
      </Loaded>
    </Panel>
  )
}

/** The query of a list, from the address: its state, and the number after which its page begins. */
function pageOf<State>(query: URLSearchParams, { state }: { state: State }) {
  return { state, after: query.get('after') ?? undefined }
}

/** The parts of a list's address. */
type Address = Record<string, string>

interface FilterProps {
  label: string
  /** The part of the address that it changes. */
  name: string
  /** `undefined` is all. */
  values: readonly (string | undefined)[]
  filter: Address
}

/** Links to the list of each state or job. */
function Filter({ label, name, values, filter }: FilterProps) {
  const { [name]: chosen, ...rest } = filter
  return (
    <nav className="desk-nav" aria-label={label}>
      {values.map((value) => (
        <a
          key={value ?? ''}
          href={addressOf({ ...rest, ...(value && { [name]: value }) })}
          aria-current={value === chosen ? 'page' : undefined}
        >
          {value === undefined ? `all ${name}s` : wordsOf(optionName(value))}
        </a>
      ))}
    </nav>
  )
}

function addressOf(parts: Address): string {
  return `/desk?${new URLSearchParams(parts).toString()}`
}

interface RowsProps {
  /** Of what. */
  name: string
  rows: readonly { number: number }[]
  hasMore: boolean
  filter: Address
  children: ReactNode
}

function Rows({ name, rows, hasMore, filter, children }: RowsProps) {
  const last = rows.at(-1)
  if (last === undefined) return <p className="empty">No {name}s with this status.</p>
  return (
    <>
      <ul className="rows desk-rows">{children}</ul>
      {hasMore && <a href={addressOf({ ...filter, after: String(last.number) })}>More {name}s</a>}
    </>
  )
}
