import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { setTimeout as pause } from 'node:timers/promises'
import { startSite } from '../../../tests/harness/services.ts'
import { freePort } from '../../services/ports.ts'
import { cpuSeconds, workerdOf } from '../cpu.ts'
import type { Findings } from '../findings.ts'
import { type Figures, printTable, tableOf } from './figures.ts'
import { heapOf } from './heap.ts'
import { watchMemory } from './memory.ts'
import { CALLS_A_MONTH } from './mix.ts'
import { type Heap, brokenPromises, recovery } from './promises.ts'
import { live, makePeople, type Seen, THINK_MS } from './people.ts'

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
  const inspectorPort = await freePort()
  const site = await startSite({ inspectorPort })
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
    const heapAtFirst = await heapOf(inspectorPort)
    await pause(crowd - performance.now())
    const cpu = shares(before, cpuOf(pids), calmMs)
    const heapAtLast = await heapOf(inspectorPort)
    const calmLoad = loadOf()
    const passing = others.map((user) => live(user, { origin, note, until: after }))
    await Promise.all([...staying, ...passing])
    memory.stop()
    const heap = { first: heapAtFirst, last: heapAtLast }
    return {
      load: calmLoad,
      cpu,
      heap,
      ...report(seen, { between: memory.between, heap, instants }),
    }
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

function report(
  seen: readonly Seen[],
  { between, heap, instants }: { between: Between; heap: Heap; instants: Instants },
) {
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
  console.log(
    `our Worker holds ${heap.first.toFixed(1)} MB, at the end of everyday ${heap.last.toFixed(1)}`,
  )
  const { p50 } = parts.calm.all ?? { p50: Number.NaN }
  const recoveredMs = recovery(during(after, end), { p50, from: after })
  console.log(`\ncalls were quick again after ${(recoveredMs / SECOND).toFixed(0)} s`)
  const broken = brokenPromises({
    everyday: during(calm, crowd),
    everydayFigures: parts.calm.all,
    fromCrowd: during(crowd, end),
    sqld: memory.sqld,
    heap,
    recoveredMs,
  })
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
