import { quantile } from '../figures.ts'
import type { Figures } from './figures.ts'
import type { Seen } from './people.ts'

/** 99 of 100 calls beside which nobody signs in take at most so many times the median. */
const SPREAD_MAX = 10
/** 99 of 100 of all calls take at most as long as two hashes, which is what an isolate computes in a row. */
const BESIDE_HASHES_MS = 500
/** So long after a hash, calls are still answered that came while it was computed. */
const DRAIN_MS = 200
/** Memory may grow by this share and so many MB: of sqld the page cache, of our Worker the calls under way. */
const GROWTH_MAX = { share: 1.1, sqldMb: 16, heapMb: 2 }
const RECOVERY_MAX_MS = 5_000
/** Calls are quick again when half of those of a second take at most so many times the median of everyday. */
const QUICK_MAX = 3
/** What a server may answer that has too much to do. */
const SHEDDING = [429, 503]

const SECOND = 1_000

/** What our Worker holds at the start and at the end of everyday, in MB. */
export interface Heap {
  first: number
  last: number
}

/** What a run showed. Memory in MB, times in milliseconds. */
interface Shown {
  everyday: readonly Seen[]
  everydayFigures: Figures | undefined
  /** From when the crowd came. */
  fromCrowd: readonly Seen[]
  sqld: { middle: number; end: number }
  heap: Heap
  recoveredMs: number
}

/** Each promise that does not hold, in a line. */
export function brokenPromises(shown: Shown): string[] {
  const { everyday, everydayFigures, fromCrowd, sqld, heap, recoveredMs } = shown
  return [
    ...brokenEveryday(everyday, everydayFigures),
    ...brokenMemory(sqld, heap),
    ...brokenByCrowd(fromCrowd),
    ...(recoveredMs <= RECOVERY_MAX_MS
      ? []
      : [`calls were quick again only ${recoveredMs / SECOND} s after the crowd had gone`]),
  ]
}

/**
 * When calls were quick again after the crowd had gone, in milliseconds: the end of the last second in which
 * calls were not quick, or one was refused.
 */
export function recovery(
  seen: readonly Seen[],
  { p50, from }: { p50: number; from: number },
): number {
  const isSlow = (some: readonly Seen[]) =>
    some.some(({ isExpected }) => !isExpected) ||
    quantile(
      some.map(({ ms }) => ms),
      0.5,
    ) >
      QUICK_MAX * p50
  const bySecond = Map.groupBy(seen, ({ at }) => Math.floor((at - from) / SECOND))
  const slow = [...bySecond].filter(([, some]) => isSlow(some)).map(([second]) => second + 1)
  return Math.max(0, ...slow) * SECOND
}

function brokenEveryday(seen: readonly Seen[], all: Figures | undefined): string[] {
  const failed = countByStatus(seen.filter(({ isExpected }) => !isExpected))
  const apart = apartFromSignIns(seen).map(({ ms }) => ms)
  const [p50, p99] = [quantile(apart, 0.5), quantile(apart, 0.99)]
  console.log(
    `\n${apart.length} everyday calls beside which nobody signed in: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
  )
  const broken = failed.map((line) => `every day: ${line}`)
  if (!(p99 <= SPREAD_MAX * p50)) {
    broken.push(`every day: p99 is ${(p99 / p50).toFixed(1)} times p50 (at most ${SPREAD_MAX})`)
  }
  if (!((all?.p99 ?? Number.NaN) <= BESIDE_HASHES_MS)) {
    broken.push(`every day: p99 is ${all?.p99.toFixed(0)} ms (at most ${BESIDE_HASHES_MS})`)
  }
  return broken
}

/**
 * Calls that met no password hash. Each takes the one thread of the isolate for a fifth of a second, and those that came
 * meanwhile are answered after it.
 */
function apartFromSignIns(seen: readonly Seen[]): Seen[] {
  const hashes = seen.filter(({ name }) => name === 'sign-in')
  return seen.filter(({ at, ms }) =>
    hashes.every((hash) => at > hash.at + hash.ms + DRAIN_MS || at + ms < hash.at),
  )
}

function brokenMemory(sqld: { middle: number; end: number }, heap: Heap): string[] {
  const grown = (what: string, from: number, to: number, mb: number) => {
    const most = from * GROWTH_MAX.share + mb
    if (to <= most) return []
    return [
      `${what} grew from ${from.toFixed(1)} to ${to.toFixed(1)} MB (at most ${most.toFixed(1)})`,
    ]
  }
  return [
    ...grown('sqld', sqld.middle, sqld.end, GROWTH_MAX.sqldMb),
    ...grown('what our Worker holds', heap.first, heap.last, GROWTH_MAX.heapMb),
  ]
}

function brokenByCrowd(seen: readonly Seen[]): string[] {
  const isShed = ({ status, hasRetryAfter }: Seen) => SHEDDING.includes(status) && hasRetryAfter
  const failed = seen.filter((one) => !one.isExpected && !isShed(one))
  return countByStatus(failed).map((line) => `with the crowd: ${line}`)
}

/** "3 calls of me answered 500", for each call and status. */
function countByStatus(seen: readonly Seen[]): string[] {
  const groups = Map.groupBy(seen, ({ name, status, hasRetryAfter }) =>
    status === 0
      ? `${name} got no answer`
      : `${name} answered ${status}${hasRetryAfter ? '' : ' without Retry-After'}`,
  )
  return [...groups].map(([what, some]) => `${some.length} times ${what}`)
}
