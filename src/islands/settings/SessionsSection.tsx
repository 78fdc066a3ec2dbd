import { useStore } from '@nanostores/react'
import { lazy, Suspense } from 'react'
import type { Session } from '../../contract/session.ts'
import { formatMinute } from '../../lib/dates.ts'
import { loadPart } from '../../lib/load-part.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Waiting } from '../../ui/Waiting.tsx'
import { places } from './security-store.ts'

const EndOthers = lazy(() => loadPart(() => import('./EndOthers.tsx')))

export function SessionsSection() {
  const state = useStore(places.$places)
  const sessions = state.data?.sessions ?? []
  return (
    <section className="card panel" aria-labelledby="sessions-title">
      <h2 id="sessions-title">Where you are signed in</h2>
      {state.data === null && state.status === 'loading' && <Waiting>Loading…</Waiting>}
      {state.status === 'failed' && <Notice tone="error">{state.message}</Notice>}
      <ul className="rows">
        {sessions.map((place) => (
          <SessionRow key={place.id} place={place} />
        ))}
      </ul>
      {sessions.length > 1 && (
        <Suspense>
          <EndOthers />
        </Suspense>
      )}
    </section>
  )
}

function SessionRow({ place }: { place: Session }) {
  const ending = useStore(places.$ending)
  return (
    <li>
      <div>
        <p>
          {place.device} {place.isCurrent && <Badge tone="green">This device</Badge>}
        </p>
        <p className="row-note">
          {place.kind === 'desktop' ? 'Desktop app' : 'Browser'} · last used{' '}
          {formatMinute(place.lastUsedAt)}
        </p>
      </div>
      {!place.isCurrent && (
        <Button
          size="small"
          isBusy={ending === place.id}
          busyLabel="Ending…"
          aria-label={`End the session on ${place.device}`}
          onClick={() => void places.end(place.id)}
        >
          End
        </Button>
      )}
    </li>
  )
}
