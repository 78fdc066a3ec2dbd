import { type Client, LibsqlError } from '@libsql/client/http'
import type { BatchItem, BatchResponse } from 'drizzle-orm/batch'
import { drizzle } from 'drizzle-orm/libsql/http'
import type { Connections, Mode, Statement } from './connections.ts'
import { ConstraintViolation, DatabaseBusy, DatabaseUnavailable } from './database-error.ts'
import { REQUEST_REFUSED, SERVER_BUSY } from './keep-streams.ts'

/**
 * How long a call waits for a server that does not answer. There is no circuit breaker: an open one would reject calls for a
 * while after the server has recovered.
 */
const READ_TIMEOUT_MS = 6_000
/** Long, so that a busy server can answer: it still executes a write that we abort. */
const WRITE_TIMEOUT_MS = 15_000
/**
 * The server rejects writes while it moves its log into the database, most often for less than a tenth of a second. A
 * call asks again soon, so that it waits little longer than the server is busy.
 */
const LOCKED_PAUSE_MS = 40
const LOCKED_PAUSES = 40
const OWN_FAULTS = ['SQLITE_ERROR', 'SQL_INPUT_ERROR', REQUEST_REFUSED]

interface DatabaseOptions {
  /** Those of the isolate, which all its requests share. */
  connections: Connections
  /** Without them, any number of calls may be in flight. */
  gates?: Record<Mode, CallGate>
  /** How long one round trip may take. */
  timeoutMs?: number
  /** How long to wait for a locked database, each time. */
  lockedPauseMs?: number
  /** How long a call may take, with all its round trips. A longer one may still be carried out. */
  deadlineMs?: number
}

/**
 * The database as the domain uses it: drizzle builds statements, `batch` sends several in one atomic round trip.
 * Each request opens its own, which counts its round trips.
 */
export function openDatabase(options: DatabaseOptions) {
  const { client, roundTrips } = openWire(options)
  const db = drizzle({ client })
  return Object.assign(db, { roundTrips, batch: batchByName(db.batch.bind(db)) })
}

export type Database = ReturnType<typeof openDatabase>

type Item = BatchItem<'sqlite'>
type Items = readonly [Item, ...Item[]]

/** Statements by name, in the order they run. A list of them has one name; null is left out. */
export type Statements = Readonly<Record<string, Item | readonly Item[] | null>>

type ResultOf<Part> = Part extends Item
  ? Part['_']['result']
  : Part extends readonly Item[]
    ? BatchResponse<Part>
    : null

type Results<Named extends Statements> = { [Name in keyof Named]: ResultOf<Named[Name]> }

/** Sends an object of statements in one batch and answers an object of their results. */
function batchByName(send: (statements: Items) => Promise<readonly unknown[]>) {
  function batch<List extends Items>(statements: List): Promise<BatchResponse<List>>
  function batch<Named extends Statements>(statements: Named): Promise<Results<Named>>
  async function batch(statements: Statements | Items) {
    if (isList(statements)) return send(statements)
    const [first, ...others] = Object.values(statements).flatMap((part) => part ?? [])
    const results = first === undefined ? [] : [...(await send([first, ...others]))]
    const resultsOf = (part: Statements[string]) => {
      if (part === null) return null
      return isList(part) ? results.splice(0, part.length) : results.shift()
    }
    return Object.fromEntries(
      Object.entries(statements).map(([name, part]) => [name, resultsOf(part)]),
    )
  }
  return batch
}

function isList<List extends readonly Item[]>(part: Item | Statements | List): part is List {
  return Array.isArray(part)
}

function openWire(options: DatabaseOptions) {
  const { connections, gates, timeoutMs, deadlineMs, lockedPauseMs = LOCKED_PAUSE_MS } = options
  const timeouts = {
    read: timeoutMs ?? READ_TIMEOUT_MS,
    write: timeoutMs ?? WRITE_TIMEOUT_MS,
  }
  let roundTrips = 0
  const batch: Client['batch'] = async (given) => {
    const statements = given.map(toStatement)
    const mode: Mode = statements.every(isRead) ? 'read' : 'write'
    // Do not count a batch that never began because the database was locked.
    const attempt = () => {
      roundTrips += 1
      const send = () => connections.send(statements, mode, timeouts[mode])
      return waitOutLock(send, lockedPauseMs)
    }
    const send = async () => {
      try {
        return mode === 'read' ? await retryOnce(attempt) : await attempt()
      } catch (error) {
        throw translate(error)
      }
    }
    const call = gates === undefined ? send() : gates[mode].pass(send)
    return deadlineMs === undefined ? call : within(call, deadlineMs)
  }
  return { client: batchOnly(batch), roundTrips: () => roundTrips }
}

/**
 * Allows `batch` only. It takes one round trip for any number of statements, and drizzle does not wrap its errors (a
 * wrapped message would contain the parameters, secrets included).
 */
function batchOnly(batch: Client['batch']): Client {
  const refuse = () => Promise.reject(new Error('Statements are sent by batch'))
  return {
    batch,
    execute: refuse,
    executeMultiple: refuse,
    migrate: refuse,
    transaction: refuse,
    sync: refuse,
    reconnect: () => undefined,
    close: () => undefined,
    closed: false,
    protocol: 'http',
  }
}

/** Drizzle sends its statements in one of the forms that the type of a client allows. */
function toStatement(given: Parameters<Client['batch']>[0][number]): Statement {
  if (typeof given === 'string' || !('sql' in given) || !Array.isArray(given.args)) {
    throw new TypeError('Drizzle sends statements with a list of parameters')
  }
  return { sql: given.sql, args: given.args }
}

function isRead({ sql }: Statement): boolean {
  return /^\s*(select|with)\b/i.test(sql)
}

/**
 * Repeats a read once after a broken connection, which is safe. Does not repeat a read that timed out or that an overloaded
 * server rejected, which would add to its load.
 */
async function retryOnce<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof LibsqlError && error.code.startsWith('SQLITE')) throw error
    if (isBusy(error) || isTimeout(error)) throw error
    return read()
  }
}

/** Sends a batch again while the database is locked. That is safe for writes too: the transaction has not begun. */
async function waitOutLock<Result>(send: () => Promise<Result>, pauseMs: number): Promise<Result> {
  for (let pauses = 0; pauses < LOCKED_PAUSES; pauses += 1) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof LibsqlError && error.code === 'SQLITE_BUSY')) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  return send()
}

/** Throws DatabaseUnavailable when the call takes longer. */
async function within<Result>(call: Promise<Result>, ms: number): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new DatabaseUnavailable('the database did not answer in time'))
    }, ms)
  })
  try {
    return await Promise.race([call, late])
  } finally {
    clearTimeout(timer)
  }
}

function translate(error: unknown): unknown {
  if (error instanceof LibsqlError && error.code.startsWith('SQLITE_CONSTRAINT')) {
    return new ConstraintViolation(error.message, { cause: error })
  }
  // A wrong statement is our own fault, so its error stays as it is.
  if (error instanceof LibsqlError && OWN_FAULTS.includes(error.code)) return error
  if (isBusy(error)) return new DatabaseBusy('the database has too much to do', { cause: error })
  if (error instanceof LibsqlError || error instanceof TypeError || isCutOff(error)) {
    return new DatabaseUnavailable('the database did not answer', { cause: error })
  }
  return error
}

/** The server refused to begin the transaction. */
function isBusy(error: unknown): boolean {
  return error instanceof LibsqlError && error.code === SERVER_BUSY
}

/** A timeout, or the plain Error that workerd throws when the server closes the connection. */
function isCutOff(error: unknown): boolean {
  return (
    isTimeout(error) || (error instanceof Error && /network connection lost/i.test(error.message))
  )
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && ['TimeoutError', 'AbortError'].includes(error.name)
}

/** A call ends by itself long before this. Without it, a call that was cut off with its request would count for ever. */
const GONE_MS = 60_000

/**
 * Limits the calls to the database that one isolate has in flight, so that none pile up while the server is slow or silent.
 * The server runs a write whose caller has gone, and each one occupies a thread there.
 */
export class CallGate {
  private readonly limit: number
  private readonly clock: () => number
  /** In the order they began. */
  private readonly inFlight = new Set<{ since: number }>()

  /** `clock` in milliseconds. */
  constructor(limit: number, clock: () => number) {
    this.limit = limit
    this.clock = clock
  }

  /** Makes the call, or throws DatabaseBusy when the limit is reached. */
  async pass<Result>(call: () => Promise<Result>): Promise<Result> {
    for (const one of this.inFlight) {
      if (this.clock() - one.since < GONE_MS) break
      this.inFlight.delete(one)
    }
    if (this.inFlight.size >= this.limit) throw new DatabaseBusy('too many calls in flight')
    const own = { since: this.clock() }
    this.inFlight.add(own)
    try {
      return await call()
    } finally {
      this.inFlight.delete(own)
    }
  }
}
