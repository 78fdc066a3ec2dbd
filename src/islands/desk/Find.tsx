import { DESK, findEndpoint } from '../../contract/desk.ts'
import { formatMinute } from '../../lib/dates.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Row } from '../../ui/Row.tsx'
import { takeFocus } from '../../ui/take-focus.ts'
import { stepUp } from '../factors/StepUp.tsx'
import { Loaded, useResource } from '../resource/Loaded.tsx'
import { Named, pageOf } from './links.tsx'

/** One box for everything that has a name, an id or a number. */
export function Find({ q }: { q: string }) {
  return (
    <Panel title="Find" className="no-print">
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
    </Panel>
  )
}

function Results({ q }: { q: string }) {
  const results = useResource(() => stepUp.call(findEndpoint, { query: { q } }))
  return (
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
  )
}
