import type { Seen } from './people.ts'

/** What was seen of some calls. Times in milliseconds. */
export interface Figures {
  calls: number
  perSecond: number
  p50: number
  p99: number
  worst: number
  /** How often each status came; 0 stands for no answer. */
  statuses: Record<string, number>
}

/** Sums up calls that took so many seconds together. */
export function figuresOf(seen: readonly Seen[], seconds: number): Figures {
  const times = seen.map(({ ms }) => ms)
  const statuses: Record<string, number> = {}
  for (const { status } of seen) statuses[status] = (statuses[status] ?? 0) + 1
  return {
    calls: seen.length,
    perSecond: seen.length / seconds,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    worst: quantile(times, 1),
    statuses,
  }
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

/** The value below which this share of all lies; NaN when there is none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

const TITLES = ['calls', 'calls/s', 'p50 ms', 'p99 ms', 'worst ms']

/** Prints a table under a heading, one line for each call. */
export function printTable(heading: string, table: Record<string, Figures>): void {
  console.log(`\n${heading}`)
  console.log(
    `${'call'.padEnd(15)}${TITLES.map((title) => title.padStart(10)).join('')}   by status`,
  )
  for (const [name, { calls, perSecond, p50, p99, worst, statuses }] of Object.entries(table)) {
    const cells = [
      String(calls),
      perSecond.toFixed(1),
      p50.toFixed(1),
      p99.toFixed(1),
      worst.toFixed(0),
    ]
    const byStatus = Object.entries(statuses)
      .map(([status, count]) => `${status === '0' ? 'none' : status}: ${count}`)
      .join(', ')
    console.log(
      `${name.padEnd(15)}${cells.map((cell) => cell.padStart(10)).join('')}   ${byStatus}`,
    )
  }
}
