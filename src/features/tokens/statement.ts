import { atom } from 'nanostores'
import { sentenceOf } from '../../api/failure-text.ts'
import { LEDGER_KINDS, USAGE_MODES } from '../../contract/kinds.ts'
import { MONTH_PATTERN } from '../../contract/limits.ts'
import type { LedgerKind, StatementLine, UsageMode } from '../../contract/usage.ts'
import { environment } from '../../lib/environment.ts'
import { createAction } from '../resource/action.ts'
import { createResource } from '../resource/resource.ts'
import { session } from '../session/session.ts'
import { toasts } from '../toasts/toasts.ts'

export interface StatementFilter {
  /** `2026-11`, in UTC; '' for the current one. */
  month: string
  /** The kind of entries, or the mode of uses, that is shown alone; '' for all. */
  show: LedgerKind | UsageMode | ''
  /** Words that each shown line contains; '' for all lines. */
  search: string
}

/** Nobody types more. */
const SEARCH_MAX = 60

/**
 * /tokens: a month of the account's tokens. The address contains the filter, so that users can share it and go back to it.
 */
export function createStatement() {
  const $filter = atom<StatementFilter>({ month: '', show: '', search: '' })
  /** The month that is shown, loads or has failed; null before the first. */
  let asked: string | null = null
  const { $resource, load, put } = createResource(() => {
    const { month } = $filter.get()
    asked = month
    return session.call('GET /api/usage/statement', { query: month === '' ? {} : { month } })
  })

  /** Applies the filter in the address. Call it when the page opens, and when its user goes back. */
  async function follow() {
    const query = new URLSearchParams(environment.here().search)
    const wanted = query.get('month') ?? ''
    const show = query.get('show')
    $filter.set({
      month: MONTH_PATTERN.test(wanted) ? wanted : '',
      show: [...LEDGER_KINDS, ...USAGE_MODES].find((value) => value === show) ?? '',
      search: (query.get('search') ?? '').slice(0, SEARCH_MAX),
    })
    if ($filter.get().month !== asked) await load()
  }

  /** Changes the filter and the address. Typing a search adds no step to the history. */
  async function filter(change: Partial<StatementFilter>) {
    const next = Object.entries({ ...$filter.get(), ...change })
    const query = new URLSearchParams(next.filter(([, value]) => value !== ''))
    const search = query.size === 0 ? '' : `?${query}`
    if (change.search === undefined) environment.pushSearch(search)
    else environment.replaceSearch(search)
    await follow()
  }

  /** Downloads every entry of a month as a file; of all months when `month` is ''. */
  const download = createAction(async (month: string) => {
    const query = month === '' ? {} : { month }
    const result = await session.call('GET /api/usage/ledger-file', { query, isStreamed: true })
    const name = month === '' ? 'tokens.csv' : `tokens-${month}.csv`
    if (result.ok) environment.saveFile(name, result.data.csv, 'text/csv')
    else toasts.error(sentenceOf(result))
  })

  /** Shows the next page of the month below. */
  const more = createAction(async () => {
    const { data } = $resource.get()
    if (data === null || data.nextCursor === null) return
    const query = { month: data.month, cursor: data.nextCursor }
    const result = await session.call('GET /api/usage/statement', { query })
    if (!result.ok) toasts.error(sentenceOf(result))
    else if ($resource.get().data === data) {
      const { lines, isWhole, nextCursor } = result.data
      put({ ...data, lines: joinLines(data.lines, lines), isWhole, nextCursor })
    }
  })

  return { $resource, $filter, load, follow, filter, download, more }
}

/** The lines of a page and of the next. A session and day that both have is one line. */
function joinLines(newer: readonly StatementLine[], older: readonly StatementLine[]) {
  const keyOf = ({ id, kind, createdAt, mode, sessionId }: StatementLine) =>
    kind === 'use' ? [createdAt.slice(0, 10), mode, sessionId].join(' ') : id
  const lines = new Map(newer.map((line) => [keyOf(line), line]))
  for (const line of older) {
    const known = lines.get(keyOf(line))
    const sum = known && {
      ...known,
      firstAt: line.firstAt,
      tokens: known.tokens + line.tokens,
      count: known.count + line.count,
    }
    lines.set(keyOf(line), sum ?? line)
  }
  return [...lines.values()]
}
