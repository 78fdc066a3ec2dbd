import { DESK, findEndpoint } from '../../contract/desk.ts'
import { formatMinute } from '../../lib/dates.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Row } from '../../ui/Row.tsx'
import { takeFocus } from '../../ui/take-focus.ts'
import { stepUp } from '../factors/StepUp.tsx'
import { Loaded, useResource } from '../resource/Loaded.tsx'
import { Named, pageOf } from './links.tsx'

/** What the box in the head has found. */
export function Find({ q }: { q: string }) {
  const results = useResource(() => stepUp.call(findEndpoint, { query: { q } }))
  return (
    <Panel title={`Found for ${q}`}>
      <Loaded resource={results} loading="Looking…">
        {({ found }) =>
          found.length === 0 ? (
            <p className="empty">{DESK.nothingFound}</p>
          ) : (
            // The search loaded a new page, whose focus was at its top.
            <ul className="rows" aria-label={`Found for ${q}`} tabIndex={-1} ref={takeFocus}>
              {found.map(({ kind, name, note, at, userId }) => (
                <Row key={`${kind} ${name}`} note={`${note} · ${formatMinute(at)}`}>
                  <Named page={pageOf(kind, name, userId)} name={name} />{' '}
                  <Badge tone="gray">{kind}</Badge>
                </Row>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  )
}
