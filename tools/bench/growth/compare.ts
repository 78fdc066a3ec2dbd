import { type Pace, paceOf } from '../figures.ts'
import { type Call, type Caller, send } from './calls.ts'

const SLICES = 10
const SLICE_CALLS = 20
const AT_ONCE = 4

/** Which of two sites: the one without users, or the one that holds them. */
export type Side = 'empty' | 'seeded'

/** Short series on both sites in turn. The first one of each only warms up. */
export async function compare(
  call: Call,
  callers: Record<Side, Caller>,
): Promise<Record<Side, Pace>> {
  const taken: Record<Side, number[]> = { empty: [], seeded: [] }
  const spent = { empty: 0, seeded: 0 }
  for (let slice = 0; slice <= SLICES; slice += 1) {
    for (const side of ['empty', 'seeded'] as const) {
      const began = performance.now()
      const times = await series(call, callers[side])
      if (slice === 0) continue
      spent[side] += performance.now() - began
      taken[side].push(...times)
    }
  }
  return {
    empty: paceOf(taken.empty, spent.empty / 1_000),
    seeded: paceOf(taken.seeded, spent.seeded / 1_000),
  }
}

/** The median beside the users as a multiple of that on the empty database. */
export const slowdown = ({ empty, seeded }: Record<Side, Pace>) => seeded.p50 / empty.p50

async function series(call: Call, caller: Caller): Promise<number[]> {
  const times: number[] = []
  let left = SLICE_CALLS
  const one = async () => {
    while (left > 0) {
      left -= 1
      times.push(await send(caller.siteUrl, call, caller))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
  return times
}
