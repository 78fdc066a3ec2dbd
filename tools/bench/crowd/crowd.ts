import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { setTimeout as pause } from 'node:timers/promises'
import { startSite } from '../../../tests/harness/services.ts'
import { cpuSeconds, workerdOf } from '../cpu.ts'
import { quantile } from '../figures.ts'
import type { Findings } from '../findings.ts'
import { type Figures, printTable, tableOf } from './figures.ts'
import { watchMemory } from './memory.ts'
import { CALLS_A_MONTH } from './mix.ts'
import { live, makePeople, type Seen, THINK_MS } from './people.ts'

/** 99 of 100 calls take at most so many times the median. */
const SPREAD_MAX = 10
/** From its middle to its end a process may grow by this share and so many MB, which are a page cache and two hashes. */
const GROWTH_MAX = { share: 1.1, mb: 16 }
const RECOVERY_MAX_MS = 5_000
/** Calls are quick again when half of those of a second take at most so many times the median of everyday. */
const QUICK_MAX = 3
/** What a server may answer that has too much to do. */
const SHEDDING = [429, 503]

const SECOND = 1_000
/** The first seconds load what few calls want, and are not counted. */
const WARM_UP_MS = 10 * SECOND
/** How long calls are watched after the crowd has gone. */
const AFTER_MS = 20 * SECOND
/** Memory is the median of so long. */
const LOOK_MS = 10 * SECOND

const PROCESSES = ['workerd', 'sqld'] as const
type Process = (typeof PROCESSES)[number]

/**
 * `npm run bench -- load`: 200 users for two minutes against the whole stack, then five times as many for 30 seconds, then
 * 200 again. Prints what they saw. `--users`, `--seconds`, `--times` and `--crowd` (seconds) change that. What is broken is
 * each promise that does not hold.
 */
export async function benchCrowd(args: string[]): Promise<Findings> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args,
    options: {
      users: { ...text, default: '200' },
      seconds: { ...text, default: '120' },
      times: { ...text, default: '5' },
      crowd: { ...text, default: '30' },
    },
  })
  const users = Number(values.users)
  const setup = {
    users,
    more: users * (Number(values.times) - 1),
    calmMs: Number(values.seconds) * SECOND,
    crowdMs: Number(values.crowd) * SECOND,
  }
  const { broken, ...figures } = await run(setup)
  return { figures: { ...setup, ...figures }, lines: linesOf(setup, figures), broken }
}

interface Setup {
  users: number
  /** Users who join for the crowd. */
  more: number
  calmMs: number
  crowdMs: number
}

/** The instants at which one part ends and the next begins. */
interface Instants {
  calm: number
  crowd: number
  after: number
  end: number
}

async function run({ users, more, calmMs, crowdMs }: Setup) {
  const site = await startSite()
  try {
    const regulars = await makePeople(site, users, 1)
    const others = await makePeople(site, more, users + 1)
    console.log(
      `${users} users, ${THINK_MS.join(' to ')} ms between two calls of each; load ${loadOf()}, ${availableParallelism()} cores`,
    )
    const pids = { workerd: workerdOf(site.worker), sqld: site.sqld.pid() }
    const memory = watchMemory(pids)
    const seen: Seen[] = []
    const note = (one: Seen) => void seen.push(one)
    const origin = new URL(site.worker.url)
    const calm = performance.now() + WARM_UP_MS
    const crowd = calm + calmMs
    const after = crowd + crowdMs
    const instants = { calm, crowd, after, end: after + AFTER_MS }
    const staying = regulars.map((user) => live(user, { origin, note, until: instants.end }))
    await pause(WARM_UP_MS)
    const before = cpuOf(pids)
    await pause(crowd - performance.now())
    const cpu = shares(before, cpuOf(pids), calmMs)
    const calmLoad = loadOf()
    const passing = others.map((user) => live(user, { origin, note, until: after }))
    await Promise.all([...staying, ...passing])
    memory.stop()
    return { load: calmLoad, cpu, ...report(seen, memory.between, instants) }
  } finally {
    await site.stop()
  }
}

/** What counts of the figures, in one line each for everyday, the crowd and memory. */
function linesOf(
  { users, more }: Setup,
  { parts: { calm, crowd }, memory, recoveredMs }: Omit<Awaited<ReturnType<typeof run>>, 'broken'>,
): string[] {
  const told = ({ perSecond, p50, p99 }: Figures) =>
    `${perSecond.toFixed(0)} calls/s, p50 ${p50.toFixed(0)}, p99 ${p99.toFixed(0)} ms`
  const grown = PROCESSES.map(
    (name) => `${name} ${memory[name].middle.toFixed(0)} to ${memory[name].end.toFixed(0)} MB`,
  )
  return [
    ...(calm.all === undefined ? [] : [`${users} users: ${told(calm.all)}; ${grown.join(', ')}`]),
    ...(crowd.all === undefined
      ? []
      : [`${users + more} users: ${told(crowd.all)}; quick again after ${recoveredMs / SECOND} s`]),
  ]
}

const loadOf = () => (loadavg()[0] ?? Number.NaN).toFixed(1)

const cpuOf = (pids: Record<Process, number>) => ({
  workerd: cpuSeconds(pids.workerd),
  sqld: cpuSeconds(pids.sqld),
})

/** How much of a core each process took. */
function shares(before: Record<Process, number>, now: Record<Process, number>, ms: number) {
  const share = (name: Process) => ((now[name] - before[name]) * SECOND) / ms
  return { workerd: share('workerd'), sqld: share('sqld') }
}

type Between = ReturnType<typeof watchMemory<Process>>['between']

function report(seen: readonly Seen[], between: Between, instants: Instants) {
  const { calm, crowd, after, end } = instants
  const during = (from: number, to: number) => seen.filter(({ at }) => at >= from && at < to)
  const parts = {
    calm: tableOf(during(calm, crowd), (crowd - calm) / SECOND),
    crowd: tableOf(during(crowd, after), (after - crowd) / SECOND),
    after: tableOf(during(after, end), (end - after) / SECOND),
  }
  printTable('Everyday', parts.calm)
  printTable('With the crowd', parts.crowd)
  printTable('Afterwards', parts.after)
  const memory = memoryOf(between, instants)
  const { p50 } = parts.calm.all ?? { p50: Number.NaN }
  const recoveredMs = recovery(during(after, end), { p50, from: after })
  console.log(`\ncalls were quick again after ${(recoveredMs / SECOND).toFixed(0)} s`)
  const broken = [
    ...brokenEveryday(during(calm, crowd), parts.calm.all),
    ...brokenMemory(memory),
    ...brokenByCrowd(during(crowd, end)),
    ...(recoveredMs <= RECOVERY_MAX_MS
      ? []
      : [`calls were quick again only ${recoveredMs / SECOND} s after the crowd had gone`]),
  ]
  return { parts, memory, recoveredMs, callsAMonth: CALLS_A_MONTH, broken }
}

/** The memory of both processes in MB: at the start, the middle and the end of everyday, and after the crowd. */
function memoryOf(between: Between, { calm, crowd, end }: Instants) {
  const middle = (calm + crowd) / 2
  const of = (name: Process) => ({
    start: between(name, calm, calm + LOOK_MS),
    middle: between(name, middle - LOOK_MS / 2, middle + LOOK_MS / 2),
    end: between(name, crowd - LOOK_MS, crowd),
    after: between(name, end - LOOK_MS, end),
  })
  const memory = { workerd: of('workerd'), sqld: of('sqld') }
  console.log(
    `\n${'memory in MB'.padEnd(15)}${['start', 'middle', 'end', 'after the crowd'].map((title) => title.padStart(17)).join('')}`,
  )
  for (const name of PROCESSES) {
    const cells = Object.values(memory[name]).map((mb) => mb.toFixed(0).padStart(17))
    console.log(`${name.padEnd(15)}${cells.join('')}`)
  }
  return memory
}

/**
 * When calls were quick again after the crowd had gone, in milliseconds: the end of the last second in which
 * calls were not quick, or one was refused.
 */
function recovery(seen: readonly Seen[], { p50, from }: { p50: number; from: number }): number {
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
  const spread = (all?.p99 ?? Number.NaN) / (all?.p50 ?? Number.NaN)
  return [
    ...failed.map((line) => `every day: ${line}`),
    ...(spread <= SPREAD_MAX
      ? []
      : [`every day: p99 is ${spread.toFixed(1)} times p50 (at most ${SPREAD_MAX})`]),
  ]
}

function brokenMemory(memory: ReturnType<typeof memoryOf>): string[] {
  return PROCESSES.flatMap((name) => {
    const { middle, end } = memory[name]
    const most = middle * GROWTH_MAX.share + GROWTH_MAX.mb
    return end <= most
      ? []
      : [
          `${name} grew from ${middle.toFixed(0)} to ${end.toFixed(0)} MB (at most ${most.toFixed(0)})`,
        ]
  })
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
