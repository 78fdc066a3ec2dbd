import { type Site, startSite } from '../../../tests/harness/services.ts'
import type { Pace } from '../figures.ts'
import type { Findings } from '../findings.ts'
import { printRows } from '../table.ts'
import { seedUsers } from '../seed.ts'
import { type Caller, CALLS, makeCaller } from './calls.ts'
import { compare, type Side, slowdown } from './compare.ts'
import { fill } from './fill.ts'
import { measureJobs } from './jobs.ts'
import { measurePurge } from './purge.ts'
import { countRows } from './rows.ts'
import { seconds } from './seconds.ts'

/** The median of a call at full size may be this many times the one on an empty database. */
const SLOWER_MAX = 1.2
/** Rows on top of that, for a longer way down an index. */
const ROWS_MORE_MAX = 20
/** So much of a past fills every page that a call answers. */
const SHORT_PAST = { uses: 150, others: 110 }
const LONG_PAST = { uses: 300_000, others: 5_000 }

/**
 * `npm run bench -- seed 1000000`: measures calls and jobs on an empty database and beside so many users, in turn, so
 * that a busy machine slows both. What is broken is each call and job that growth slows.
 */
export async function benchGrowth(count: number): Promise<Findings> {
  const [empty, seeded] = [await startSite(), await startSite()]
  try {
    const at = performance.now()
    await fill(seeded, (seed) => seedUsers(seed, count))
    console.log(`${count} users seeded in ${seconds(performance.now() - at)} s.`)
    return await measureGrowth(empty, seeded, count)
  } finally {
    await Promise.all([empty.stop(), seeded.stop()])
  }
}

/** The measurements on two running sites, the second of which holds the users. */
async function measureGrowth(empty: Site, seeded: Site, count: number): Promise<Findings> {
  const callers = {
    empty: await makeCaller(empty, SHORT_PAST),
    seeded: await makeCaller(seeded, {
      uses: Math.min(LONG_PAST.uses, count),
      others: Math.min(LONG_PAST.others, count),
    }),
  }
  const rows = {
    empty: await countRows(empty, callers.empty),
    seeded: await countRows(seeded, callers.seeded),
  }
  const calls = await compareCalls(callers, rows)
  print(calls)
  const jobs = await measureJobs(seeded)
  const purge = await measurePurge(seeded, count)
  const ratios = Object.values(calls).map(({ ratio }) => ratio)
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2))
  return {
    figures: { count, calls, jobs: jobs.took, purge: purge.figures },
    lines: [
      `${count.toLocaleString('en')} users: calls take ${least} to ${most} times as long as on an empty database; jobs of a day ${seconds(jobs.took.day)} s; ${purge.line}`,
    ],
    broken: [...Object.entries(calls).flatMap(brokenBy), ...jobs.broken, ...purge.broken],
  }
}

/** One call on both databases. */
interface Compared {
  rows: Record<Side, number>
  times: Record<Side, Pace>
  /** The median beside the users as a multiple of that on the empty database. */
  ratio: number
}

async function compareCalls(
  callers: Record<Side, Caller>,
  rows: Record<Side, Record<string, number>>,
): Promise<Record<string, Compared>> {
  const compared: Record<string, Compared> = {}
  for (const [name, call] of Object.entries(CALLS)) {
    let times = await compare(call, callers)
    // An accidental difference does not come twice.
    if (slowdown(times) > SLOWER_MAX) times = await compare(call, callers)
    compared[name] = {
      rows: { empty: rows.empty[name] ?? 0, seeded: rows.seeded[name] ?? 0 },
      times,
      ratio: slowdown(times),
    }
  }
  return compared
}

function brokenBy([name, { rows, ratio }]: [string, Compared]): string[] {
  return [
    ...(ratio > SLOWER_MAX ? [`${name} is ${ratio.toFixed(2)} times slower`] : []),
    ...(rows.seeded > rows.empty * SLOWER_MAX + ROWS_MORE_MAX
      ? [`${name} reads ${rows.seeded} rows instead of ${rows.empty}`]
      : []),
  ]
}

function print(calls: Record<string, Compared>): void {
  console.log('')
  printRows(
    ['call', 'rows', 'requests/s', 'p50 ms', 'p99 ms', 'slower by'],
    Object.entries(calls).map(([name, { rows, times, ratio }]) => [
      name,
      pair(rows.empty, rows.seeded, 0),
      pair(times.empty.perSecond, times.seeded.perSecond, 0),
      pair(times.empty.p50, times.seeded.p50, 1),
      pair(times.empty.p99, times.seeded.p99, 1),
      `×${ratio.toFixed(2)}`,
    ]),
  )
}

function pair(empty: number, seeded: number, digits: number): string {
  return `${empty.toFixed(digits)} → ${seeded.toFixed(digits)}`
}
