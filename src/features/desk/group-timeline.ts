import type { TimelineEntry } from '../../contract/desk.ts'

export interface Group {
  /** Null for what belongs to no purchase: one entry, or days of use that follow each other. */
  purchaseId: string | null
  entries: TimelineEntry[]
}

/** The entries of each purchase together, where the newest of them stands. `purchaseIds`: those that the page shows. */
export function groupsOf(
  entries: readonly TimelineEntry[],
  purchaseIds: readonly string[],
): Group[] {
  let run = 0
  let isInUse = false
  const groups = Map.groupBy(entries, ({ purchaseId, about }, index) => {
    if (purchaseId !== null && purchaseIds.includes(purchaseId)) return purchaseId
    if (about !== 'use' || !isInUse) run = index
    isInUse = about === 'use'
    return run
  })
  return [...groups].map(([key, ofKey]) => ({
    purchaseId: typeof key === 'string' ? key : null,
    entries: ofKey,
  }))
}
