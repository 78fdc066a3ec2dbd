import { atom } from 'nanostores'
import { ledgerCsv } from '../contract/ledger-csv.ts'
import { PAGE_SIZE_MAX } from '../contract/limits.ts'
import { type LedgerEntry, ledgerEndpoint, type LedgerKind } from '../contract/usage.ts'
import { sentenceOf } from './failure-text.ts'
import { createResource } from './resource.ts'
import type { StoreDeps } from './session.ts'

const PAGE_SIZE = 50

export interface LedgerFilter {
  /** "2026-11", in UTC; '' for all. */
  month: string
  /** '' for all. */
  kind: LedgerKind | ''
}

interface LedgerDeps extends StoreDeps {
  /** Downloads a text as a file. */
  saveFile: (name: string, text: string) => void
}

/** /tokens: every change of the account's tokens, page by page, of one month or kind, and as a file. */
export function createLedger({ session, toasts, saveFile }: LedgerDeps) {
  const $filter = atom<LedgerFilter>({ month: '', kind: '' })
  const $isSaving = atom(false)
  /** The entries above the page to load, and the cursor of that page. */
  let kept: readonly LedgerEntry[] = []
  let cursor: string | undefined

  const resource = createResource(async () => {
    const result = await ask(PAGE_SIZE, cursor)
    if (!result.ok) return result
    const { entries, nextCursor } = result.data
    return { ok: true, data: { entries: [...kept, ...entries], nextCursor } }
  })

  function ask(limit: number, from: string | undefined) {
    const { month, kind } = $filter.get()
    const query = {
      limit,
      ...(from === undefined ? {} : { cursor: from }),
      ...(month === '' ? {} : { month }),
      ...(kind === '' ? {} : { kind }),
    }
    return session.call(ledgerEndpoint, { query })
  }

  function loadFrom(entries: readonly LedgerEntry[], start: string | undefined) {
    kept = entries
    cursor = start
    return resource.load()
  }

  /** Saves all entries that the filter leaves, also those that are not shown yet. */
  async function save() {
    if ($isSaving.get()) return
    $isSaving.set(true)
    const { month } = $filter.get()
    const all: LedgerEntry[] = []
    let next: string | null | undefined
    while (next !== null) {
      const result = await ask(PAGE_SIZE_MAX, next)
      if (!result.ok) {
        toasts.error(sentenceOf(result))
        break
      }
      all.push(...result.data.entries)
      next = result.data.nextCursor
    }
    $isSaving.set(false)
    if (next === null) saveFile(month === '' ? 'tokens.csv' : `tokens-${month}.csv`, ledgerCsv(all))
  }

  return {
    $ledger: resource.$resource,
    $filter,
    $isSaving,
    load: () => loadFrom([], undefined),
    filter: async (change: Partial<LedgerFilter>) => {
      $filter.set({ ...$filter.get(), ...change })
      await loadFrom([], undefined)
    },
    loadMore: async () => {
      const { data, status } = resource.$resource.get()
      if (status === 'loading' || data === null || data.nextCursor === null) return
      await loadFrom(data.entries, data.nextCursor)
    },
    save,
  }
}
