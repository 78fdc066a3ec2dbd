import { useStore } from '@nanostores/react'
import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { formatCount } from '../../lib/numbers.ts'
import type { Pages } from '../../stores/pages.ts'
import { Button } from '../../ui/Button.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { RetryNotice } from '../../ui/Notice.tsx'
import { keepFocus } from '../../ui/take-focus.ts'

interface Props<Row> {
  pages: Pages<Row>
  loading: string
  /** Shown when there is no row. */
  empty: string
  children: (rows: readonly Row[]) => ReactNode
}

/** A list that loads when it is first shown, and its next page when the user wants more. */
export function PagedList<Row>({ pages, loading, empty, children }: Props<Row>) {
  const { $resource, load, loadMore, again } = pages
  const state = useStore($resource)
  useEffect(() => void load(), [load])
  const rows = state.data?.rows ?? []
  return (
    <>
      <p className="visually-hidden" role="status">
        {state.status === 'ready' &&
          `${formatCount(rows.length)} ${rows.length === 1 ? 'entry' : 'entries'} shown`}
      </p>
      {rows.length > 0 && children(rows)}
      {rows.length === 0 && state.status === 'loading' && <Loading>{loading}</Loading>}
      {rows.length === 0 && state.status === 'ready' && <p className="empty">{empty}</p>}
      {state.status === 'failed' && <RetryNotice onRetry={again}>{state.message}</RetryNotice>}
      {state.data !== null && state.data.nextCursor !== null && (
        <Button
          size="small"
          isBusy={state.status === 'loading'}
          onClick={({ currentTarget }) => {
            const panel = currentTarget.closest('section')
            // After the last page the button is gone, and the first new row is what comes next.
            void loadMore().then(() =>
              keepFocus(panel?.querySelectorAll<HTMLElement>('tbody > tr')[rows.length] ?? panel),
            )
          }}
        >
          Show more
        </Button>
      )}
    </>
  )
}
