import type { CallResult } from '../api/call-endpoint.ts'
import { createResource } from './resource.ts'

/** A list that loads page by page. `send` requests the page at a cursor, or the first one. */
export function createPages<Row, Page extends { nextCursor: string | null }>(
  send: (cursor: string | undefined) => Promise<CallResult<Page>>,
  rowsOf: (page: Page) => readonly Row[],
) {
  /** The rows above the page to load, and the cursor of that page. */
  let above: readonly Row[] = []
  let cursor: string | undefined
  const { $resource, load } = createResource(async () => {
    const result = await send(cursor)
    if (!result.ok) return result
    const rows = [...above, ...rowsOf(result.data)]
    return { ok: true, data: { rows, nextCursor: result.data.nextCursor } }
  })

  function loadBelow(rows: readonly Row[], start: string | undefined) {
    above = rows
    cursor = start
    return load()
  }

  return {
    $resource,
    /** Loads the page again that was asked for last. */
    again: load,
    /** Loads the first page. */
    load: () => loadBelow([], undefined),
    loadMore: async () => {
      const { data, status } = $resource.get()
      if (status === 'loading' || data === null || data.nextCursor === null) return
      await loadBelow(data.rows, data.nextCursor)
    },
  }
}

export type Pages<Row> = ReturnType<typeof createPages<Row, never>>
