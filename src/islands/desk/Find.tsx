import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { DESK, type Found } from '../../contract/desk.ts'
import { formatMinute } from '../../lib/dates.ts'
import { deps } from '../../stores/browser.ts'
import { createFind } from '../../stores/desk.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { RetryNotice } from '../../ui/Notice.tsx'
import { stepUp } from '../settings/step-up.ts'

/** One box for everything that has a name, an id or a number. */
export function Find({ q }: { q: string }) {
  return (
    <section className="card panel no-print" aria-labelledby="find-title">
      <h2 id="find-title">Find</h2>
      <form className="desk-find" action="/desk" role="search">
        <label className="visually-hidden" htmlFor="find">
          Part of an address or a username, or the beginning of an id or a number
        </label>
        <input
          className="input"
          id="find"
          name="q"
          type="search"
          defaultValue={q}
          minLength={2}
          required
          autoCapitalize="none"
          spellCheck={false}
          placeholder="ada@example.com, pur_, pay_, order_, R-12, T-7"
        />
        <Button type="submit" look="primary">
          Find
        </Button>
      </form>
      {q !== '' && <Results q={q} />}
    </section>
  )
}

function Results({ q }: { q: string }) {
  const [store] = useState(() => createFind({ ...deps, confirmed: stepUp.confirmed }, q))
  const state = useStore(store.$resource)
  useEffect(() => {
    void store.load()
  }, [store])
  if (state.status === 'failed') {
    return <RetryNotice onRetry={store.load}>{state.message}</RetryNotice>
  }
  if (state.data === null) return <Loading>Looking…</Loading>
  const { found } = state.data
  if (found.length === 0) return <p className="empty">{DESK.nothingFound}</p>
  return (
    <ul className="rows">
      {found.map((row) => (
        <Row key={`${row.kind} ${row.name}`} row={row} />
      ))}
    </ul>
  )
}

/** The page of what was found; null when it has none. */
function pageOf({ kind, name, userId }: Found): string | null {
  if (kind === 'ticket' || kind === 'application') return `/desk?${kind}=${name.slice(2)}`
  return userId === null ? null : `/desk?user=${userId}`
}

function Row({ row }: { row: Found }) {
  const { kind, name, note, at } = row
  const page = pageOf(row)
  return (
    <li>
      <div>
        <p>
          {page === null ? name : <a href={page}>{name}</a>} <Badge tone="gray">{kind}</Badge>
        </p>
        <p className="row-note">
          {note} · {formatMinute(at)}
        </p>
      </div>
    </li>
  )
}
