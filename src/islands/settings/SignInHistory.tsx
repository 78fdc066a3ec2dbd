import { useStore } from '@nanostores/react'
import { formatMinute } from '../../lib/dates.ts'
import { Notice } from '../../ui/Notice.tsx'
import { places } from './security-store.ts'

const SHOWN = 10

/** Successful and failed sign-ins, newest first. */
export function SignInHistory() {
  const state = useStore(places.$history)
  const events = state.data?.events ?? []
  return (
    <section className="card panel" aria-labelledby="history-title">
      <h2 id="history-title">Sign-in history</h2>
      {state.status === 'failed' && <Notice tone="error">{state.message}</Notice>}
      {state.status === 'ready' && events.length === 0 && (
        <p className="empty">No sign-ins in the last 90 days.</p>
      )}
      <ul className="rows">
        {events.slice(0, SHOWN).map((event) => (
          <li key={event.id}>
            <div>
              <p>{event.text}</p>
              <p className="row-note">{formatMinute(event.createdAt)}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
