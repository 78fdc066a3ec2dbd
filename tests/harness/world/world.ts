import type { SQL } from 'drizzle-orm'
import { inject } from 'vitest'
import { brand } from '../../../site/brand.ts'
import { type Database, openDatabase } from '../../../edge-api/db/database.ts'
import { Connections } from '../../../edge-api/db/connections.ts'
import { ProviderAsks } from '../../../edge-api/domain/purchase/provider-asks.ts'
import { createQueues } from '../../../edge-api/domain/fair-queue.ts'
import type { HashCost } from '../../../edge-api/domain/account/password-hash.ts'
import type { Context } from '../../../edge-api/domain/context.ts'
import type { LogFields } from '../../../edge-api/domain/ports/log.ts'
import { idMaker } from '../../../edge-api/domain/new-id.ts'
import type { PaymentGateway } from '../../../edge-api/domain/ports/payments.ts'
import type { IdentityProvider } from '../../../edge-api/domain/ports/identity.ts'
import { unavailableGateway } from '../../../edge-api/gateways/razorpay/razorpay-gateway.ts'
import type { Claims } from '../../../edge-api/domain/account/signed.ts'
import type { Pager } from '../../../edge-api/domain/ports/pager.ts'

/** Where the clock of a domain test stands until the test moves it: at noon, in the middle of a month. */
export const START_MS = Date.UTC(2026, 10, 18, 12)

/** Long, because a machine that is busy with other tests may stall. No test here is about this limit. */
const PATIENCE_MS = 50_000

/** One pool for each server, as an isolate has it: a new connection costs the server more than most statements. */
const pools = new Map<string, Connections>()

function connectionsTo(url: string): Connections {
  const pool = pools.get(url) ?? new Connections({ url, authToken: '', clock: Date.now })
  pools.set(url, pool)
  return pool
}

/**
 * Cheap, because most tests are not about hashing. password-hash.test.ts and the tests of the Worker hash at the production cost.
 */
export const HASH_COST_OF_TESTS: HashCost = { log2N: 9, r: 8, p: 1 }

export type Rows = Record<string, unknown>[]

export interface World {
  /** A fresh context, as each request has one, at this world's instant. */
  ctx: () => Context
  now: () => number
  /** Runs one statement, and returns its rows by the names of their columns. */
  read: <Row = Record<string, unknown>>(statement: string | SQL) => Promise<Row[]>
  /** Moves the clock of all later contexts. */
  advance: (ms: number) => void
  alerts: { event: string; fields: LogFields }[]
  /** Logged errors. Nobody hears of them: only an alert is mailed. */
  errors: { event: string; error: string }[]
  /** Runs the work that starts after the answer. */
  drain: () => Promise<void>
}

export interface WorldOptions {
  payments?: PaymentGateway
  identity?: IdentityProvider | null
  /** Without addresses when left out. */
  pager?: Pager
  /** Milliseconds UTC. By default START_MS, or the wall clock where a site runs beside the test. */
  now?: number
  /** Instead of `now`: a clock that something else also moves. */
  clock?: { now: number }
  databaseUrl?: string
  /** Called before each batch, which fails with what this throws. */
  beforeBatch?: () => void
  random?: (count: number) => Uint8Array<ArrayBuffer>
}

/** The database of this test. In the domain tier it is its worker's, to which no other test writes meanwhile. */
export function databaseUrl(): string {
  const ofWorkers = inject('databaseUrls')
  return ofWorkers?.[Number(process.env['VITEST_POOL_ID']) - 1] ?? inject('databaseUrl')
}

/** The dependencies of every handler, with the real database and a clock that stands still until a test moves it. */
export function createWorld(options: WorldOptions = {}): World {
  const { payments = unavailableGateway, identity = null } = options
  const { pager = { post: null, heartbeat: null } } = options
  const start = () => (inject('databaseUrls') === undefined ? Date.now() : START_MS)
  const clock = options.clock ?? { now: options.now ?? start() }
  const alerts: World['alerts'] = []
  const errors: World['errors'] = []
  const waiting: (() => Promise<void>)[] = []
  const url = options.databaseUrl ?? databaseUrl()
  const server = { connections: connectionsTo(url), timeoutMs: PATIENCE_MS }
  const { beforeBatch = () => undefined } = options
  const queues = createQueues({
    clock: () => clock.now,
    pause: () => new Promise((resolve) => setTimeout(resolve, 1)),
  })
  const providerAsks = new ProviderAsks()
  const { random = (count: number) => crypto.getRandomValues(new Uint8Array(count)) } = options
  const ctx = (): Context => ({
    db: withEachBatch(openDatabase(server), beforeBatch),
    now: clock.now,
    clock: () => clock.now,
    pause: (ms) => {
      clock.now += ms
      return Promise.resolve()
    },
    newId: idMaker(() => clock.now, random),
    randomBytes: random,
    queues,
    providerAsks,
    hashCost: HASH_COST_OF_TESTS,
    visitor: { address: '192.0.2.1', ipPrefix: '192.0.2.0/24', device: 'Firefox on Linux' },
    deviceMark: { given: '', keep: () => undefined },
    keys: [{ kid: 'k1', secret: new TextEncoder().encode('tests-only-'.repeat(4)) }],
    trialKey: { kid: 'trial', secret: new TextEncoder().encode('tests-only-trial'.repeat(2)) },
    payments,
    paymentMode: 'emulator',
    identity,
    breaches: null,
    pager,
    mailer: { send: () => Promise.resolve() },
    brand,
    releases: [],
    origin: 'http://localhost:8787',
    adminOrigin: 'http://localhost:8787',
    isLocal: true,
    log: {
      info: () => undefined,
      warn: () => undefined,
      alert: (event, fields = {}) => alerts.push({ event, fields }),
      error: (event, error) => errors.push({ event, error: String(error) }),
    },
    waitUntil: (work) => {
      waiting.push(work)
    },
  })
  return {
    ctx,
    now: () => clock.now,
    read: async <Row>(statement: string | SQL) => {
      const { db } = ctx()
      const [rows] = await db.batch([db.all<Row>(statement)])
      return rows
    },
    advance: (ms) => {
      clock.now += ms
    },
    alerts,
    errors,
    drain: async () => {
      for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) await work()
    },
  }
}

/** The database, with a function that runs before each batch and sees its statements. */
export function withEachBatch(db: Database, before: (statements: object) => unknown): Database {
  const { batch } = db
  return new Proxy(db, {
    get: (target, name, receiver) => {
      if (name !== 'batch') return Reflect.get(target, name, receiver)
      return async (statements: Parameters<typeof batch>[0]) => {
        await before(statements)
        return batch(statements)
      }
    },
  })
}

/** The parts of a call that a test does not care about. */
export const NO_INPUT = { params: {}, query: {}, body: {}, idempotencyKey: null } as const

/** A call of a signed-in account without input. */
export function callOf(claims: Claims) {
  return { ...NO_INPUT, claims }
}
