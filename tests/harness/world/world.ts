import { inject } from 'vitest'
import { brand } from '../../../site/brand.ts'
import { type Database, openDatabase } from '../../../edge-api/db/database.ts'
import { WriteGate } from '../../../edge-api/db/write-gate.ts'
import { HashGate } from '../../../edge-api/domain/hash-gate.ts'
import type { HashCost } from '../../../edge-api/domain/hash-cost.ts'
import type { Context } from '../../../edge-api/domain/context.ts'
import type { LogFields } from '../../../edge-api/domain/ports/log.ts'
import { idMaker } from '../../../edge-api/domain/new-id.ts'
import type { PaymentGateway } from '../../../edge-api/domain/ports/payments.ts'
import type { IdentityProvider } from '../../../edge-api/domain/ports/identity.ts'
import { unavailableGateway } from '../../../edge-api/gateways/razorpay/unavailable-gateway.ts'
import type { Claims } from '../../../edge-api/domain/account/bearer.ts'
import type { Pager } from '../../../edge-api/domain/ports/pager.ts'
import { databaseAt } from './memory-database.ts'

/** Long, because a machine that is busy with other tests may stall. No test here is about this limit. */
const PATIENCE_MS = 50_000

/** A hash at what it costs in production takes 250 ms of a core; password-hash.test.ts and the tests of the Worker make such. */
export const HASH_COST_OF_TESTS: HashCost = { log2N: 9, r: 8, p: 1 }

export interface World {
  /** A fresh context, as each request has one, at this world's instant. */
  ctx: () => Context
  now: () => number
  /** Moves the clock of all later contexts. */
  advance: (ms: number) => void
  alerts: { event: string; fields: LogFields }[]
  /** Runs the work that waits for the answer to be sent. */
  drain: () => Promise<void>
}

export interface WorldOptions {
  payments?: PaymentGateway
  identity?: IdentityProvider | null
  /** Without addresses when left out. */
  pager?: Pager
  /** Milliseconds UTC; the wall clock when left out. */
  now?: number
  databaseUrl?: string
  /** In place of the libSQL server: each context opens it anew. */
  openDatabase?: () => Database
  random?: (count: number) => Uint8Array<ArrayBuffer>
}

/** The dependencies of every verb, with the real database and a clock that stands still until a test moves it. */
export function createWorld(options: WorldOptions = {}): World {
  const { payments = unavailableGateway, identity = null } = options
  const { pager = { post: null, beat: null } } = options
  const open =
    options.openDatabase ?? (() => openServer(options.databaseUrl ?? inject('databaseUrl')))
  let now = options.now ?? Date.now()
  const alerts: World['alerts'] = []
  const waiting: (() => Promise<void>)[] = []
  const writeGate = new WriteGate(1_000, Date.now)
  const openServer = (url: string) =>
    url.startsWith('memory:')
      ? databaseAt(url).open()
      : openDatabase({ url, authToken: '', writeGate, timeoutMs: PATIENCE_MS })
  const hashGate = new HashGate(() => new Promise((resolve) => setTimeout(resolve, 1)))
  const { random = (count: number) => crypto.getRandomValues(new Uint8Array(count)) } = options
  const ctx = (): Context => ({
    db: open(),
    now,
    clock: () => now,
    pause: (ms) => {
      now += ms
      return Promise.resolve()
    },
    newId: idMaker(() => now, random),
    randomBytes: random,
    hashGate,
    hashCost: HASH_COST_OF_TESTS,
    visitor: { address: '192.0.2.1', ipPrefix: '192.0.2.0/24', device: 'Firefox on Linux' },
    deviceMark: { given: '', keep: () => undefined },
    keys: [{ kid: 'k1', secret: new TextEncoder().encode('tests-only-'.repeat(4)) }],
    payments,
    paymentMode: 'emulator',
    identity,
    breaches: null,
    pager,
    mailer: { send: () => Promise.resolve() },
    brand,
    releases: [],
    operators: [brand.operatorEmail],
    origin: 'http://localhost:8787',
    isLocal: true,
    log: {
      info: () => undefined,
      warn: () => undefined,
      alert: (event, fields = {}) => alerts.push({ event, fields }),
      error: (event, error) => alerts.push({ event, fields: { error: String(error) } }),
    },
    waitUntil: (work) => {
      waiting.push(work)
    },
  })
  return {
    ctx,
    now: () => now,
    advance: (ms) => {
      now += ms
    },
    alerts,
    drain: async () => {
      for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) await work()
    },
  }
}

/** The parts of a verb's call that a test does not care about. */
export const NO_INPUT = { params: {}, query: {}, body: {}, idempotencyKey: null } as const

/** A call of a signed-in account without input. */
export function callOf(claims: Claims) {
  return { ...NO_INPUT, claims }
}
