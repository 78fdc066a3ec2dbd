import { atom } from 'nanostores'
import { ledgerCsv } from '../contract/ledger-csv.ts'
import { PAGE_SIZE_MAX } from '../contract/limits.ts'
import { Month } from '../contract/text.ts'
import { type LedgerEntry, ledgerEndpoint, LedgerKind } from '../contract/usage.ts'
import { createAction } from './action.ts'
import { sentenceOf } from './failure-text.ts'
import { createPages } from './pages.ts'
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
export function createLedger({ environment, session, toasts, saveFile }: LedgerDeps) {
  const $filter = atom<LedgerFilter>({ month: '', kind: '' })
  const pages = createPages(
    (cursor) => request(PAGE_SIZE, cursor),
    (page) => page.entries,
  )

  /** Loads the first page of the filter in the address. */
  function load() {
    const query = new URLSearchParams(environment.here().search)
    $filter.set({
      month: Month.safeParse(query.get('month')).data ?? '',
      kind: LedgerKind.safeParse(query.get('kind')).data ?? '',
    })
    return pages.load()
  }

  function request(limit: number, cursor: string | undefined) {
    const { month, kind } = $filter.get()
    const query = { limit, cursor, ...(month && { month }), ...(kind && { kind }) }
    return session.call(ledgerEndpoint, { query })
  }

  /** Saves all entries that the filter leaves, also those that are not shown yet. */
  const download = createAction(async () => {
    const { month } = $filter.get()
    const all: LedgerEntry[] = []
    let cursor: string | null | undefined
    while (cursor !== null) {
      const result = await request(PAGE_SIZE_MAX, cursor)
      if (!result.ok) {
        toasts.error(sentenceOf(result))
        return
      }
      all.push(...result.data.entries)
      cursor = result.data.nextCursor
    }
    saveFile(month === '' ? 'tokens.csv' : `tokens-${month}.csv`, ledgerCsv(all))
  })

  return {
    entries: { ...pages, load },
    $filter,
    download,
    filter: async (change: Partial<LedgerFilter>) => {
      const query = new URLSearchParams(
        Object.entries({ ...$filter.get(), ...change }).filter(([, value]) => value !== ''),
      )
      environment.replaceSearch(query.size === 0 ? '' : `?${query}`)
      await load()
    },
  }
}
