import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createMember, type Member } from '../../tests/harness/member.ts'
import { startRecorder } from '../../tests/harness/recorder.ts'
import { type Site, startSite, startWorker } from '../../tests/harness/services.ts'
import { newAddress } from '../../tests/harness/visitor.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { DAILY, EVERY_MINUTE } from '../services/cron.ts'
import {
  intoFile,
  type Seed,
  seedExpiredSessions,
  seedHistory,
  seedUsers,
  throughServer,
} from './seed.ts'

/** The median of a call at full size may be this many times the one on an empty database. */
const SLOWER_MAX = 1.2
/** Rows on top of that, for a longer way down an index. */
const ROWS_MORE_MAX = 20
const JOB_MAX_MS = 60_000
const SPENDING_MAX_MS = 500
/** Uses of tokens that took longer are counted, and the slowest of them are listed. */
const SPENDING_SLOW_MS = 250
const SLOWEST_LISTED = 5
/** Enough that none of them meets the limit of an account. */
const SPENDERS = 10
/** So much of a past fills every page that a call answers. */
const SHORT_PAST = { uses: 150, others: 110 }
const LONG_PAST = { uses: 300_000, others: 5_000 }

const SLICES = 10
const SLICE_CALLS = 20
const AT_ONCE = 4

interface Call {
  path: string
  method?: string
  body?: (member: Caller) => object
  /** The status of success; 200 when left out. */
  status?: number
}

interface Caller extends Member {
  siteUrl: string
  deviceCode: string
}

/** What clients ask most, of what an account may ask often. Sign-in takes as long as one password hash. */
const CALLS: Record<string, Call> = {
  live: { path: '/api/health/live' },
  health: { path: '/api/health' },
  plans: { path: '/api/subscription/plans' },
  me: { path: '/api/auth/me' },
  current: { path: '/api/subscription/current' },
  'use-tokens': { path: '/api/subscription/use-tokens', body: () => ({ amount: 1 }) },
  'usage chart': { path: '/api/usage?days=90' },
  ledger: { path: '/api/usage/ledger' },
  'usage session': {
    path: '/api/usage/sessions',
    body: () => ({ event: 'start', sessionId: 'session-past-1', mode: 'meeting' }),
  },
  notifications: { path: '/api/auth/notices' },
  'sign-in history': { path: '/api/auth/sign-ins' },
  sessions: { path: '/api/auth/sessions' },
  purchases: { path: '/api/payment/purchases' },
  'device poll': {
    path: '/api/device/token',
    body: ({ deviceCode }) => ({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: deviceCode,
    }),
    status: 400,
  },
}

/**
 * `npm run bench -- seed 1000000`: measures calls and jobs on an empty database and beside so many users, in turn, so
 * that a busy machine slows both. Throws a LaunchError when growth slows a call or a job.
 */
export async function benchGrowth(count: number): Promise<void> {
  const [empty, seeded] = [await startSite(), await startSite()]
  try {
    const at = performance.now()
    await fill(seeded, (seed) => seedUsers(seed, count))
    console.log(`${count} users seeded in ${seconds(performance.now() - at)} s.`)
    await measureGrowth(empty, seeded, count)
  } finally {
    await Promise.all([empty.stop(), seeded.stop()])
  }
}

/** Fills the database of a site while its server is stopped. */
async function fill({ sqld }: Site, seed: (into: Seed) => Promise<void>): Promise<void> {
  await sqld.kill()
  const folder = join(sqld.folder, 'data/dbs/default')
  const { run, close } = intoFile(join(folder, 'data'))
  await seed({ run, now: Date.now() })
  close()
  // After a stop that it calls unclean, the server reads the whole database before it answers.
  rmSync(join(folder, '.sentinel'))
  await sqld.restart()
}

/** The measurements on two running sites, the second of which holds the users. */
export async function measureGrowth(empty: Site, seeded: Site, count: number): Promise<void> {
  const callers = {
    empty: await makeCaller(empty, SHORT_PAST),
    seeded: await makeCaller(seeded, {
      uses: Math.min(LONG_PAST.uses, count),
      others: Math.min(LONG_PAST.others, count),
    }),
  }
  const faults: string[] = []
  const rows = {
    empty: await countRows(empty, callers.empty),
    seeded: await countRows(seeded, callers.seeded),
  }
  console.log(
    `\n${'call'.padEnd(16)} ${['rows', 'requests/s', 'p50 ms', 'p99 ms'].map((title) => title.padStart(15)).join('')}  slower by`,
  )
  for (const [name, call] of Object.entries(CALLS)) {
    let times = await compare(call, callers)
    // An accidental difference does not come twice.
    if (slowdown(times) > SLOWER_MAX) times = await compare(call, callers)
    const ratio = slowdown(times)
    const read = { empty: rows.empty[name] ?? 0, seeded: rows.seeded[name] ?? 0 }
    const cells = [
      pair(read.empty, read.seeded, 0),
      pair(times.empty.rate, times.seeded.rate, 0),
      pair(times.empty.p50, times.seeded.p50, 1),
      pair(times.empty.p99, times.seeded.p99, 1),
    ]
    console.log(
      `${name.padEnd(16)} ${cells.map((cell) => cell.padStart(15)).join('')}  ×${ratio.toFixed(2)}`,
    )
    if (ratio > SLOWER_MAX) faults.push(`${name} is ${ratio.toFixed(2)} times slower`)
    if (read.seeded > read.empty * SLOWER_MAX + ROWS_MORE_MAX) {
      faults.push(`${name} reads ${read.seeded} rows instead of ${read.empty}`)
    }
  }
  faults.push(...(await measureJobs(seeded)), ...(await measurePurge(seeded, count)))
  if (faults.length > 0) throw new LaunchError(`\nGrowth costs too much:\n  ${faults.join('\n  ')}`)
  console.log('\nGrowth slows no call and no job.')
}

async function makeCaller(site: Site, past: { uses: number; others: number }): Promise<Caller> {
  const { url } = site.sqld
  const member = await createMember({
    siteUrl: site.worker.url,
    databaseUrl: url,
    hasPlan: true,
  })
  await seedHistory(
    { run: throughServer(url), now: Date.now() },
    { userId: member.userId, ...past },
  )
  const { body } = await member.call('/api/device/code', { json: {} })
  return { ...member, siteUrl: site.worker.url, deviceCode: String(Object(body).device_code) }
}

/** The rows that one call of each kind reads, by a Worker of its own whose statements are recorded. */
async function countRows(site: Site, caller: Caller): Promise<Record<string, number>> {
  const recorder = await startRecorder(site.sqld.url)
  const worker = await startWorker({ databaseUrl: recorder.url, emulatorUrl: site.emulator.url })
  const rows: Record<string, number> = {}
  try {
    for (const [name, call] of Object.entries(CALLS)) {
      const before = recorder.rowsRead()
      await send(worker.url, call, caller)
      rows[name] = recorder.rowsRead() - before
    }
  } finally {
    await worker.stop()
    await recorder.stop()
  }
  return rows
}

/** Sends one call and returns how long the answer took, in milliseconds. Throws when it is not the one expected. */
async function send(siteUrl: string, call: Call, caller: Caller): Promise<number> {
  const { path, status = 200, body } = call
  const began = performance.now()
  const answer = await fetch(new URL(path, siteUrl), {
    method: call.method ?? (body ? 'POST' : 'GET'),
    headers: {
      authorization: `Bearer ${caller.bearer}`,
      'cf-connecting-ip': newAddress(),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body(caller)) } : {}),
  })
  const text = await answer.text()
  if (answer.status !== status) {
    throw new LaunchError(`${path} answered ${answer.status}: ${text.slice(0, 200)}`)
  }
  return performance.now() - began
}

type Side = 'empty' | 'seeded'

interface Times {
  rate: number
  p50: number
  p99: number
}

/** Short series on both sites in turn. The first one of each only warms up. */
async function compare(call: Call, callers: Record<Side, Caller>) {
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
    empty: summary(taken.empty, spent.empty),
    seeded: summary(taken.seeded, spent.seeded),
  }
}

const slowdown = ({ empty, seeded }: Record<Side, Times>) => seeded.p50 / empty.p50

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

function summary(times: readonly number[], spentMs: number): Times {
  return {
    rate: (times.length / spentMs) * 1_000,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  }
}

function quantile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

async function measureJobs({ worker }: Site): Promise<string[]> {
  const faults: string[] = []
  for (const [name, cron] of Object.entries({ minute: EVERY_MINUTE, day: DAILY })) {
    const began = performance.now()
    await worker.runCron(cron)
    const took = performance.now() - began
    console.log(`${name === 'minute' ? '\n' : ''}jobs of each ${name}: ${seconds(took)} s`)
    if (took > JOB_MAX_MS) faults.push(`the jobs of each ${name} take ${seconds(took)} s`)
  }
  return faults
}

/** Deletes as many expired sessions as there are users while tokens are used. */
async function measurePurge(site: Site, count: number): Promise<string[]> {
  await fill(site, (seed) => seedExpiredSessions(seed, count, count))
  const spenders: Caller[] = []
  for (let nth = 0; nth < SPENDERS; nth += 1) {
    spenders.push(await makeCaller(site, { uses: 1, others: 1 }))
  }
  const call: Call = { path: '/api/subscription/use-tokens', body: () => ({ amount: 1 }) }
  const began = performance.now()
  let isOver = false
  const purge = site.worker.runCron(DAILY).finally(() => {
    isOver = true
  })
  const uses: Use[] = []
  const spend = async () => {
    while (!isOver) {
      for (const spender of spenders) {
        const at = performance.now() - began
        uses.push({ at, ms: await send(site.worker.url, call, spender) })
      }
    }
  }
  await Promise.all([purge, spend(), spend()])
  const took = performance.now() - began
  const times = uses.map(({ ms }) => ms)
  console.log(
    `purge of ${count} sessions: ${seconds(took)} s, meanwhile ${times.length} uses of tokens, p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`,
  )
  const slowest = uses.toSorted((one, other) => other.ms - one.ms).slice(0, SLOWEST_LISTED)
  const slow = times.filter((ms) => ms > SPENDING_SLOW_MS).length
  console.log(
    `${slow} took more than ${SPENDING_SLOW_MS} ms; the slowest: ${slowest.map(told).join(', ')}`,
  )
  const longest = slowest[0]?.ms ?? 0
  return longest > SPENDING_MAX_MS ? [`a use of tokens took ${longest.toFixed(0)} ms`] : []
}

/** A use of tokens: when it was sent after the purge began and how long its answer took, in milliseconds. */
interface Use {
  at: number
  ms: number
}

const told = ({ at, ms }: Use) => `${ms.toFixed(0)} ms after ${seconds(at)} s`

function pair(empty: number, seeded: number, digits: number): string {
  return `${empty.toFixed(digits)} → ${seeded.toFixed(digits)}`
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1)
}
