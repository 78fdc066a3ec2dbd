import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { JobId } from '../../contract/careers.ts'
import { type ApplicationRow, ApplicationState } from '../../contract/desk-inbox.ts'
import { formatAgo } from '../../lib/dates.ts'
import { deps } from '../../stores/browser.ts'
import { createApplications } from '../../stores/desk-inbox.ts'
import { Loading } from '../../ui/Loading.tsx'
import { RetryNotice } from '../../ui/Notice.tsx'
import { stepUp } from '../settings/step-up.ts'
import { States } from './DeskNav.tsx'

/** The applications of one state, for one job or all. */
export function Applications({ query }: { query: URLSearchParams }) {
  const state = ApplicationState.catch('new').parse(query.get('state'))
  const jobId = JobId.optional()
    .catch(undefined)
    .parse(query.get('job') ?? undefined)
  const after = query.get('after')
  const [store] = useState(() =>
    createApplications(
      { ...deps, confirmed: stepUp.confirmed },
      { state, ...(jobId === undefined ? {} : { jobId }), ...(after === null ? {} : { after }) },
    ),
  )
  const resource = useStore(store.$resource)
  useEffect(() => {
    void store.load()
  }, [store])
  const rest = jobId === undefined ? {} : { job: jobId }
  return (
    <section className="card panel" aria-labelledby="applications-title">
      <h2 id="applications-title">Applications</h2>
      <Jobs state={state} jobId={jobId} />
      <States
        label="Applications by state"
        show="applications"
        states={ApplicationState.options}
        state={state}
        rest={rest}
      />
      {resource.status === 'failed' && (
        <RetryNotice onRetry={store.load}>{resource.message}</RetryNotice>
      )}
      {resource.status === 'loading' && <Loading>Loading applications…</Loading>}
      {resource.status === 'ready' && <List {...resource.data} rest={{ state, ...rest }} />}
    </section>
  )
}

function Jobs({ state, jobId }: { state: string; jobId: string | undefined }) {
  const choices = [
    { name: 'all jobs', job: undefined },
    ...JobId.options.map((job) => ({ name: job.replaceAll('-', ' '), job })),
  ]
  return (
    <nav className="desk-nav" aria-label="Applications by job">
      {choices.map(({ name, job }) => {
        const search = new URLSearchParams({ show: 'applications', state, ...(job && { job }) })
        return (
          <a
            key={name}
            href={`/desk?${search.toString()}`}
            aria-current={job === jobId ? 'page' : undefined}
          >
            {name}
          </a>
        )
      })}
    </nav>
  )
}

interface ListProps {
  applications: readonly ApplicationRow[]
  hasMore: boolean
  rest: Record<string, string>
}

function List({ applications, hasMore, rest }: ListProps) {
  const now = deps.environment.clock.now()
  const last = applications.at(-1)
  if (last === undefined) return <p className="empty">No application is in this state.</p>
  const next = new URLSearchParams({ show: 'applications', ...rest, after: String(last.number) })
  return (
    <>
      <ul className="rows">
        {applications.map(({ number, fullName, email, jobId, at, decidedAt }) => (
          <li key={number}>
            <div>
              <p>
                <a href={`/desk?application=${String(number)}`}>A-{number}</a> {fullName}
              </p>
              <p className="row-note">
                {jobId.replaceAll('-', ' ')} · {email} ·{' '}
                <time dateTime={at}>{formatAgo(at, now)}</time>
                {decidedAt !== null && ` · decided ${formatAgo(decidedAt, now)}`}
              </p>
            </div>
          </li>
        ))}
      </ul>
      {hasMore && <a href={`/desk?${next.toString()}`}>More applications</a>}
    </>
  )
}
