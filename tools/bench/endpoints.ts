import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { createClient } from '@libsql/client/http'
import { build } from 'vite'
import { createMember, type Member, PASSWORD } from '../../tests/harness/member.ts'
import { scratchFolder } from '../../tests/harness/scratch-folder.ts'
import {
  type Service,
  startEmulator,
  startSqld,
  startWorker,
} from '../../tests/harness/services.ts'
import { newAddress } from '../../tests/harness/visitor.ts'
import { root } from '../launcher/settings.ts'
import { workerStartBytes } from '../launcher/sizes.ts'
import { freePort } from '../services/ports.ts'
import { cpuSeconds, workerdOf } from './cpu.ts'
import { fire, type Hit, type Shot } from './load.ts'

const SLICE_MS = 1_000
const CONNECTIONS = 8
/** Enough that none of them meets the limit of an account. */
const MEMBERS = 40
/** How far a database on another continent is, in milliseconds to it and back. */
const FAR_MS = 80
/** How often a Worker is started to measure what its start costs. */
const STARTS = 5

type Side = 'ours' | 'bare'

interface Case {
  side: Side
  shot: (member: Member) => Shot
  /** The yardstick, and the least share of its requests a second that is aimed at. */
  goal?: readonly [yardstick: string, share: number]
  connections?: number
}

const asMember = ({ bearer }: Member) => ({ authorization: `Bearer ${bearer}` })

const CASES: Record<string, Case> = {
  'bare constant': { side: 'bare', shot: () => ({ method: 'GET', path: '/api/bare/constant' }) },
  'health/live': {
    side: 'ours',
    shot: () => ({ method: 'GET', path: '/api/health/live' }),
    goal: ['bare constant', 0.5],
  },
  plans: {
    side: 'ours',
    shot: () => ({ method: 'GET', path: '/api/subscription/plans' }),
    goal: ['bare constant', 0.5],
  },
  'bare read': {
    side: 'bare',
    shot: ({ userId }) => ({ method: 'GET', path: `/api/bare/read?id=${userId}` }),
  },
  me: {
    side: 'ours',
    shot: (member) => ({ method: 'GET', path: '/api/auth/me', headers: asMember(member) }),
    goal: ['bare read', 0.9],
  },
  current: {
    side: 'ours',
    shot: (member) => ({
      method: 'GET',
      path: '/api/subscription/current',
      headers: asMember(member),
    }),
    goal: ['bare read', 0.9],
  },
  'bare write': { side: 'bare', shot: () => ({ method: 'POST', path: '/api/bare/write' }) },
  'use-tokens': {
    side: 'ours',
    shot: (member) => ({
      method: 'POST',
      path: '/api/subscription/use-tokens',
      headers: asMember(member),
      body: { amount: 1 },
    }),
    goal: ['bare write', 0.75],
  },
  'sign-in': {
    side: 'ours',
    connections: 2,
    shot: ({ email }) => ({
      method: 'POST',
      path: '/api/auth/login',
      body: { email, password: PASSWORD },
    }),
  },
}

/** A running Worker of ours or of the yardsticks. */
interface Place {
  url: string
  workerd: number
}

interface Tally {
  hits: Hit[]
  seconds: number
  cpu: number
  databaseCpu: number
}

/** What was measured of one case. Times in milliseconds. */
interface Row {
  perSecond: number
  p50: number
  p99: number
  cpu: number
  databaseCpu: number
  trips: number | null
  bytes: number
  ratio: number | null
  cpuRatio: number | null
  goal: number | null
}

/**
 * `npm run bench -- endpoints --rounds=5 me current`: calls beside the least that Hono and the libSQL client need for such
 * an answer, in turn, so that a busy machine slows all. Prints a table and writes `.data/bench/endpoints.json`.
 */
export async function benchEndpoints(rounds: number, names: readonly string[]): Promise<void> {
  const cases = Object.entries(CASES).filter(([name]) => isWanted(name, names))
  const sqld = await startSqld()
  const emulator = await startEmulator({ webhookUrl: 'http://127.0.0.1:9/none' })
  const yardsticks = await buildYardsticks()
  const setup = { databaseUrl: sqld.url, emulatorUrl: emulator.url }
  const far = await startFarDatabase(sqld.port)
  const workers: Service[] = []
  const open = async (options: Partial<Parameters<typeof startWorker>[0]>): Promise<Place> => {
    const worker = await startWorker({ ...setup, ...options })
    workers.push(worker)
    return { url: worker.url, workerd: workerdOf(worker) }
  }
  try {
    await makeBareTables(sqld.url)
    const places: Record<Side, Place> = { ours: await open({}), bare: await open(yardsticks) }
    const members = await makeMembers(places.ours.url, sqld.url)
    const rows = await measure(cases, { places, members, rounds, database: sqld.pid() })
    print(rows)
    const farPlace = await open({ databaseUrl: far.url })
    const distances = await measureFar(farPlace, members, rows)
    const start = {
      bytes: workerStartBytes(root),
      ours: await startCost({ ...setup }),
      bare: await startCost({ ...setup, ...yardsticks }),
    }
    console.log(
      `\nstart of the Worker: ${start.bytes} bytes (gzip), ${ms(start.ours)} ms of CPU until its first answer; a bare Hono: ${ms(start.bare)} ms`,
    )
    const folder = join(root, '.data/bench')
    mkdirSync(folder, { recursive: true })
    const result = { at: new Date().toISOString(), rounds, rows, distances, start }
    writeFileSync(join(folder, 'endpoints.json'), JSON.stringify(result, null, 2))
  } finally {
    for (const worker of workers) await worker.stop()
    far.close()
    yardsticks.remove()
    await Promise.all([emulator.stop(), sqld.stop()])
  }
}

/** Whether a case is named, or the yardstick of one that is. */
function isWanted(name: string, names: readonly string[]): boolean {
  if (names.length === 0 || names.includes(name)) return true
  return Object.entries(CASES).some(
    ([other, { goal }]) => names.includes(other) && goal?.[0] === name,
  )
}

interface Bench {
  places: Record<Side, Place>
  members: readonly Member[]
  rounds: number
  /** The process of the database. */
  database: number
}

/** Short series of all cases in turn. The first round only warms up. */
async function measure(cases: [string, Case][], bench: Bench): Promise<Record<string, Row>> {
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

/** Makes requests of members in turn, each from an address of its own, so that no limit is met. */
function shooter({ shot }: Case, members: readonly Member[]): () => Shot {
  let count = Math.floor(Math.random() * members.length)
  return () => {
    const member = members[(count += 1) % members.length]
    if (member === undefined) throw new Error('there are no members')
    const { headers, ...rest } = shot(member)
    return { ...rest, headers: { 'cf-connecting-ip': newAddress(), ...headers } }
  }
}

function summary({ hits, seconds, cpu, databaseCpu }: Tally): Row {
  const times = hits.map((hit) => hit.ms).toSorted((one, other) => one - other)
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
  const last = hits.at(-1)
  const [, trips] = /trips=(\d+)/.exec(last?.head ?? '') ?? []
  return {
    perSecond: hits.length / seconds,
    p50: at(0.5),
    p99: at(0.99),
    cpu: (cpu / hits.length) * 1_000,
    databaseCpu: (databaseCpu / hits.length) * 1_000,
    trips: trips === undefined ? null : Number(trips),
    bytes: last?.bytes ?? 0,
    ratio: null,
    cpuRatio: null,
    goal: null,
  }
}

function print(rows: Record<string, Row>): void {
  const titles = ['requests/s', 'p50 ms', 'p99 ms', 'CPU ms', 'CPU db', 'trips', 'bytes']
  console.log(
    `\n${'call'.padEnd(15)}${[...titles, 'of yardstick', 'goal', 'by CPU'].map((title) => title.padStart(13)).join('')}`,
  )
  for (const [name, row] of Object.entries(rows)) {
    const cells = [
      row.perSecond.toFixed(0),
      row.p50.toFixed(1),
      row.p99.toFixed(1),
      ms(row.cpu),
      ms(row.databaseCpu),
      row.trips === null ? '' : String(row.trips),
      String(row.bytes),
      row.ratio?.toFixed(2) ?? '',
      row.goal?.toFixed(2) ?? '',
      row.cpuRatio?.toFixed(2) ?? '',
    ]
    console.log(`${name.padEnd(15)}${cells.map((cell) => cell.padStart(13)).join('')}`)
  }
}

const ms = (value: number) => value.toFixed(2)

/** How long each call takes, alone, when the database is far away. */
async function measureFar(place: Place, members: readonly Member[], rows: Record<string, Row>) {
  console.log(`\nwith ${FAR_MS} ms to the database and back`)
  const distances: Record<string, { p50: number; trips: number }> = {}
  for (const [name, one] of Object.entries(CASES)) {
    if (one.side === 'bare' || rows[name] === undefined) continue
    const hits = await fire(place.url, shooter(one, members), { connections: 1, ms: 2 * SLICE_MS })
    const { p50, trips } = summary({ hits: hits.slice(1), seconds: 1, cpu: 0, databaseCpu: 0 })
    distances[name] = { p50, trips: trips ?? 0 }
    const away = (trips ?? 0) * FAR_MS
    console.log(
      `${name.padEnd(15)} ${p50.toFixed(1).padStart(8)} ms = ${trips ?? 0} trips × ${FAR_MS} + ${(p50 - away).toFixed(1)}`,
    )
  }
  return distances
}

/** A way to the database on which what it answers takes long. */
async function startFarDatabase(port: number) {
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    near.setNoDelay(true)
    far.setNoDelay(true)
    near.on('data', (bytes) => far.write(bytes))
    far.on('data', (bytes) => setTimeout(() => near.writable && near.write(bytes), FAR_MS))
    for (const [one, other] of [[near, far] as const, [far, near] as const]) {
      one.on('error', () => other.destroy())
      one.on('close', () => setTimeout(() => other.destroy(), FAR_MS))
    }
  })
  const own = await freePort()
  await new Promise<void>((resolve) => server.listen(own, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${own}`, close: () => server.close() }
}

/** The CPU that a fresh workerd takes for its first answer, less that of its second, in milliseconds. */
async function startCost(setup: Parameters<typeof startWorker>[0]): Promise<number> {
  let spent = 0
  for (let start = 0; start < STARTS; start += 1) {
    const worker = await startWorker(setup)
    const workerd = workerdOf(worker)
    const costs: number[] = []
    for (let call = 0; call < 2; call += 1) {
      const before = cpuSeconds(workerd)
      // Neither Worker knows it, so both answer by themselves.
      await (await fetch(`${worker.url}/api/nothing`)).text()
      costs.push(cpuSeconds(workerd) - before)
    }
    const [first = 0, second = 0] = costs
    spent += first - second
    await worker.stop()
  }
  return (spent / STARTS) * 1_000
}

async function makeMembers(siteUrl: string, databaseUrl: string): Promise<Member[]> {
  const members: Member[] = []
  for (let nth = 0; nth < MEMBERS; nth += 1) {
    members.push(await createMember({ siteUrl, databaseUrl, hasPlan: true }))
  }
  return members
}

async function makeBareTables(url: string): Promise<void> {
  await createClient({ url }).batch(
    [
      'CREATE TABLE bare_uses (id TEXT PRIMARY KEY, tokens INTEGER NOT NULL)',
      'CREATE TABLE bare_balance (id INTEGER PRIMARY KEY, used INTEGER NOT NULL)',
      'INSERT INTO bare_balance VALUES (1, 0)',
    ],
    'write',
  )
}

/** Builds the yardsticks into a folder like that of our own build, so that workerd runs both in the same way. */
async function buildYardsticks() {
  const { path, remove } = scratchFolder('yardsticks')
  const dist = join(path, 'dist')
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    ssr: { noExternal: true, target: 'webworker' },
    build: {
      ssr: join(import.meta.dirname, 'yardstick-worker.ts'),
      outDir: join(dist, 'server'),
      emptyOutDir: true,
      minify: true,
      rolldownOptions: { output: { entryFileNames: 'entry.mjs' } },
    },
  })
  cpSync(join(root, 'dist/miniflare.json'), join(dist, 'miniflare.json'))
  symlinkSync(join(root, 'dist/client'), join(dist, 'client'))
  return { dist, remove }
}
