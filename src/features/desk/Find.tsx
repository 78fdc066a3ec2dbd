import { useEffect } from 'react'
import { DESK, type Found } from '../../contract/desk.ts'
import { formatMinute } from '../../lib/dates.ts'
import { environment } from '../../lib/environment.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Row } from '../../ui/Row.tsx'
import { takeFocus } from '../../ui/take-focus.ts'
import { stepUp } from '../factors/step-up.ts'
import { Loaded, useResource } from '../resource/Loaded.tsx'
import { Named, pageOf } from './links.tsx'

/** What the box in the head has found. */
export function Find({ q }: { q: string }) {
  const results = useResource(() => stepUp.call('GET /api/desk/find', { query: { q } }))
  return (
    <Panel title={`Results for ${q}`}>
      <Loaded resource={results} loading="Looking…">
        {({ found }) => {
          const page = onlyPageOf(found)
          if (page !== null) return <Opening page={page} />
          return found.length === 0 ? (
            <p className="empty">{DESK.nothingFound}</p>
          ) : (
            // The search loaded a new page, whose focus was at its top.
            <ul className="rows" aria-label={`Results for ${q}`} tabIndex={-1} ref={takeFocus}>
              {found.map(({ kind, name, note, at, userId }) => (
                <Row key={`${kind} ${name}`} note={`${note} · ${formatMinute(at)}`}>
                  <Named page={pageOf(kind, name, userId)} name={name} />{' '}
                  <Badge tone="gray">{kind}</Badge>
                </Row>
              ))}
            </ul>
          )
        }}
      </Loaded>
    </Panel>
  )
}

/** The page that everything found leads to; null when there are several, or none. */
function onlyPageOf(found: readonly Found[]): string | null {
  const pages = new Set(found.map(({ kind, name, userId }) => pageOf(kind, name, userId)))
  const [page = null] = pages
  return pages.size === 1 ? page : null
}

/** Goes there instead of showing a list of one. */
function Opening({ page }: { page: string }) {
  useEffect(() => environment.navigateInstead(page), [page])
  return <Loading>Opening it…</Loading>
}
