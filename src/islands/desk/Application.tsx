import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { ApplicationState } from '../../contract/desk-inbox.ts'
import { APPLICATION_MONTHS } from '../../contract/limits.ts'
import { formatMinute } from '../../lib/dates.ts'
import { deps } from '../../stores/browser.ts'
import { createApplication } from '../../stores/desk-inbox.ts'
import { humanise } from '../../stores/job-application.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { RetryNotice } from '../../ui/Notice.tsx'
import { stepUp } from '../settings/step-up.ts'
import { wordsOf } from './DeskNav.tsx'
import { Handling } from './Handling.tsx'

/** An application with what was written about it. */
export function Application({ number }: { number: string }) {
  const [store] = useState(() =>
    createApplication({ ...deps, confirmed: stepUp.confirmed }, number),
  )
  const resource = useStore(store.$resource)
  useEffect(() => {
    void store.load()
  }, [store])
  if (resource.status === 'failed') {
    return <RetryNotice onRetry={store.load}>{resource.message}</RetryNotice>
  }
  if (resource.data === null) return <Loading>Loading the application…</Loading>
  const { application, userId, entries, answers } = resource.data
  const { fullName, email, state, jobId, at, decidedAt, fields } = application
  return (
    <section className="card panel" aria-labelledby="application-title">
      <h2 id="application-title" className="breakable">
        A-{application.number} {fullName}
      </h2>
      <p className="desk-badges">
        <Badge tone={decidedAt === null ? 'orange' : 'gray'}>{wordsOf(state)}</Badge>
      </p>
      <dl className="facts">
        <Fact name="Job">{jobId.replaceAll('-', ' ')}</Fact>
        <Fact name="Email">{email}</Fact>
        <Fact name="Sent">{formatMinute(at)}</Fact>
        {decidedAt !== null && (
          <Fact name="Decided">
            {formatMinute(decidedAt)}; deleted {APPLICATION_MONTHS} months later
          </Fact>
        )}
        {userId !== null && (
          <Fact name="Account">
            <a href={`/desk?user=${userId}`}>Its page</a>
          </Fact>
        )}
        {fields.map(([name, value]) => (
          <Fact key={name} name={humanise(name)}>
            {/^https?:\/\//.test(value) ? (
              <a href={value} target="_blank" rel="noopener noreferrer nofollow">
                {value}
              </a>
            ) : (
              <span className="desk-words">{value}</span>
            )}
          </Fact>
        ))}
      </dl>
      <Handling
        submission={application}
        states={ApplicationState.options}
        next="in_talks"
        entries={entries}
        answers={answers}
        onDone={store.load}
      />
    </section>
  )
}
