import { type Pace, paceOf } from '../figures.ts'
import { printRows } from '../table.ts'
import type { Seen } from './people.ts'

/** What was seen of some calls. Times in milliseconds. */
export interface Figures extends Pace {
  calls: number
  /** How often each status came; 0 stands for no answer. */
  statuses: Record<string, number>
}

/** Sums up calls that took so many seconds together. */
export function figuresOf(seen: readonly Seen[], seconds: number): Figures {
  const statuses: Record<string, number> = {}
  for (const { status } of seen) statuses[status] = (statuses[status] ?? 0) + 1
  const times = seen.map(({ ms }) => ms)
  return { calls: seen.length, ...paceOf(times, seconds), statuses }
}

/** The figures of each call by itself, the most frequent first, and of all together. */
export function tableOf(seen: readonly Seen[], seconds: number): Record<string, Figures> {
  const byName = Map.groupBy(seen, ({ name }) => name)
  const rows = [...byName].map(([name, some]): [string, Figures] => [
    name,
    figuresOf(some, seconds),
  ])
  rows.sort(([, one], [, other]) => other.calls - one.calls)
  return { ...Object.fromEntries(rows), all: figuresOf(seen, seconds) }
}

const TITLES = ['call', 'calls', 'calls/s', 'p50 ms', 'p99 ms', 'worst ms', 'by status']

/** Prints a table under a heading, one line for each call. */
export function printTable(heading: string, table: Record<string, Figures>): void {
  console.log(`\n${heading}`)
  const rows = Object.entries(table).map(
    ([name, { calls, perSecond, p50, p99, worst, statuses }]) => [
      name,
      String(calls),
      perSecond.toFixed(1),
      p50.toFixed(1),
      p99.toFixed(1),
      worst.toFixed(0),
      Object.entries(statuses)
        .map(([status, count]) => `${status === '0' ? 'none' : status}: ${count}`)
        .join(', '),
    ],
  )
  printRows(TITLES, rows)
}
