import type { Member } from '../../../tests/harness/member.ts'
import { cpuSeconds } from '../cpu.ts'
import { type Pace, paceOf } from '../figures.ts'
import { fire, type Hit } from '../load.ts'
import type { Case, Side } from './cases.ts'
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
}

export interface Bench {
  places: Record<Side, Place>
  members: readonly Member[]
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
      const hits = await fire(url, shooter(one, bench.members), {
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
  const rowOf = (name: string): Row | null => {
    const tally = tallies.get(name)
    return tally === undefined ? null : summary(tally)
  }
  return Object.fromEntries(
    cases.flatMap(([name, { goal }]) => {
      const row = rowOf(name)
      if (row === null) return []
      const yardstick = goal === undefined ? null : rowOf(goal[0])
      if (goal === undefined || yardstick === null) return [[name, row]]
      const ratio = row.perSecond / yardstick.perSecond
      const cpuRatio = yardstick.cpu / row.cpu
      return [[name, { ...row, ratio, cpuRatio, goal: goal[1] }]]
    }),
  )
}

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
  }
}

/** The database round trips that the last answer reports; null when it reports none. */
export function tripsIn(hits: readonly Hit[]): number | null {
  const [, trips] = /trips=(\d+)/.exec(hits.at(-1)?.head ?? '') ?? []
  return trips === undefined ? null : Number(trips)
}
