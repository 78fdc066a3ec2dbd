import { cpuSeconds } from '../cpu.ts'
import { type Pace, paceOf } from '../figures.ts'
import { fire, type Hit } from '../load.ts'
import type { Caller, Case, Side } from './cases.ts'
import { shooter } from './shooter.ts'

const CONNECTIONS = 8
/** How long a series of one case is. */
const SLICE_MS = 1_000

/** A running Worker of ours or of the yardsticks. */
export interface Place {
  url: string
  workerd: number
}

interface Tally {
  hits: Hit[]
  seconds: number
  cpu: number
  databaseCpu: number
}

/** What was measured of one case. CPU is that of one request, in milliseconds. */
export interface Row extends Pace {
  cpu: number
  databaseCpu: number
  /** Database round trips, where the Worker tells them. */
  trips: number | null
  bytes: number
  /** Requests a second as a share of the yardstick's. */
  ratio: number | null
  /** The CPU of the yardstick as a share of its own. */
  cpuRatio: number | null
  goal: number | null
  /** The same two shares of the call that does the same elsewhere. */
  beside: { name: string; ratio: number; cpuRatio: number } | null
}

export interface Bench {
  places: Record<Side, Place>
  callers: readonly Caller[]
  rounds: number
  /** The process of the database. */
  database: number
}

/** Short series of all cases in turn. The first round only warms up. */
export async function measure(cases: [string, Case][], bench: Bench): Promise<Record<string, Row>> {
  const tallies = new Map<string, Tally>()
  for (let round = 0; round <= bench.rounds; round += 1) {
    for (const [name, one] of cases) {
      const { url, workerd } = bench.places[one.side]
      const cpuOf = () => ({ worker: cpuSeconds(workerd), database: cpuSeconds(bench.database) })
      const before = cpuOf()
      const began = performance.now()
      const hits = await fire(url, shooter(one, bench.callers), {
        connections: one.connections ?? CONNECTIONS,
        ms: SLICE_MS,
      })
      const seconds = (performance.now() - began) / 1_000
      const after = cpuOf()
      if (round === 0) continue
      const tally = tallies.get(name) ?? { hits: [], seconds: 0, cpu: 0, databaseCpu: 0 }
      tallies.set(name, {
        hits: [...tally.hits, ...hits],
        seconds: tally.seconds + seconds,
        cpu: tally.cpu + after.worker - before.worker,
        databaseCpu: tally.databaseCpu + after.database - before.database,
      })
    }
  }
  const rowOf = (name: string | undefined): Row | null => {
    const tally = tallies.get(name ?? '')
    return tally === undefined ? null : summary(tally)
  }
  return Object.fromEntries(
    cases.flatMap(([name, { goal, beside }]) => {
      const row = rowOf(name)
      if (row === null) return []
      const yardstick = rowOf(goal?.[0])
      const other = rowOf(beside)
      return [
        [
          name,
          {
            ...row,
            ...(yardstick && { ...ratios(row, yardstick), goal: goal?.[1] ?? null }),
            beside: other && { name: beside ?? '', ...ratios(row, other) },
          },
        ],
      ]
    }),
  )
}

const ratios = (row: Row, other: Row) => ({
  ratio: row.perSecond / other.perSecond,
  cpuRatio: other.cpu / row.cpu,
})

function summary({ hits, seconds, cpu, databaseCpu }: Tally): Row {
  const pace = paceOf(
    hits.map(({ ms }) => ms),
    seconds,
  )
  return {
    ...pace,
    cpu: (cpu / hits.length) * 1_000,
    databaseCpu: (databaseCpu / hits.length) * 1_000,
    trips: tripsIn(hits),
    bytes: hits.at(-1)?.bytes ?? 0,
    ratio: null,
    cpuRatio: null,
    goal: null,
    beside: null,
  }
}

/** The database round trips that the last answer reports; null when it reports none. */
export function tripsIn(hits: readonly Hit[]): number | null {
  const [, trips] = /trips=(\d+)/.exec(hits.at(-1)?.head ?? '') ?? []
  return trips === undefined ? null : Number(trips)
}
