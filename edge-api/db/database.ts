import { type Client, LibsqlError } from '@libsql/client/http'
import { drizzle } from 'drizzle-orm/libsql/http'
import { batchByName } from './batch-by-name.ts'
import { ConstraintViolation, DatabaseBusy, DatabaseUnavailable } from './database-error.ts'
import type { Breaker } from './breaker.ts'
import { type Mode, sendStatements, SERVER_BUSY, type Statement } from './hrana.ts'
import type { Dated, Replica } from './replica.ts'
import type { Streams } from './streams.ts'
import type { WriteGate } from './write-gate.ts'

/** Long, so that a busy server can answer: it still executes a write that we abort. */
const TIMEOUT_MS = 15_000
/**
 * The server refuses writes while it moves its log into the database, most often for less than a tenth of a second. A call
 * asks again soon, so that it waits hardly longer than the server is busy.
 */
const LOCKED_PAUSE_MS = 40
const LOCKED_PAUSES = 40
const OWN_FAULTS = ['SQLITE_ERROR', 'SQL_INPUT_ERROR']

interface DatabaseOptions {
  url: string
  authToken: string
  writeGate: WriteGate
  /** Without one, each call waits for a silent server until its timeout. */
  breaker?: Breaker
  /** Those of the isolate. Without them, each trip opens a connection of the server and closes it. */
  streams?: Streams
  /** How long one round trip may take. */
  timeoutMs?: number
  /** Answers reads that may lag. Without one, the database at `url` answers them all. */
  replica?: Replica | null
}

/**
 * The database as the domain uses it: drizzle builds statements, `batch` sends several in one atomic round trip.
 * Each request opens its own, which counts its trips.
 */
export function openDatabase(options: DatabaseOptions) {
  const { client, ...wire } = openWire(options)
  const db = drizzle({ client })
  return Object.assign(db, { ...wire, batch: batchByName(db.batch.bind(db)) })
}

export type Database = ReturnType<typeof openDatabase>

function openWire(options: DatabaseOptions) {
  const { url, authToken, writeGate, breaker, streams = null, timeoutMs = TIMEOUT_MS } = options
  const { replica = null } = options
  const server = { url, authToken, streams, timeoutMs }
  let trips = 0
  let lastWrite = 0
  let mayLagFrom: number | null = null
  const see = ({ results, at }: Dated) => {
    lastWrite = Math.max(lastWrite, at)
    return results
  }
  const batch: Client['batch'] = async (given) => {
    const statements = given.map(toStatement)
    const mode: Mode = statements.every(isRead) ? 'read' : 'write'
    if (mode === 'read' && mayLagFrom !== null && replica?.isResting() === false) {
      trips += 1
      const near = await replica.read(statements, Math.max(mayLagFrom, lastWrite))
      if (near !== null) return see(near)
    }
    const call = async () => {
      if (replica === null) return sendStatements(server, statements, mode)
      return see(await replica.askPrimary(server, statements, mode))
    }
    // What a locked database did not begin is no trip: it says nothing about the call.
    const ask = () => {
      trips += 1
      return waitOutLock(call)
    }
    const send = async () => {
      try {
        return mode === 'read' ? await retryOnce(ask) : await ask()
      } catch (error) {
        throw translate(error)
      }
    }
    const watched = () => (breaker === undefined ? send() : breaker.pass(send))
    // The gate is outside: that it is full says nothing about the server.
    return mode === 'read' ? watched() : writeGate.pass(watched)
  }
  return {
    client: batchOnly(batch),
    trips: () => trips,
    /** Lets the reads that follow come from the replica, once that has the writes up to `seen`. */
    mayLag: (seen: number) => {
      mayLagFrom = seen
    },
    /** The last write that an answer has seen; 0 before the first answer, and where there is no replica. */
    lastWrite: () => lastWrite,
  }
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
 * Repeats a read once after a broken connection, which is safe. Does not repeat a read that timed out, or that the server
 * refused because it has too much to do: it would have more.
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
async function waitOutLock<Result>(send: () => Promise<Result>): Promise<Result> {
  for (let pauses = 0; pauses < LOCKED_PAUSES; pauses += 1) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof LibsqlError && error.code === 'SQLITE_BUSY')) throw error
      await new Promise((resolve) => setTimeout(resolve, LOCKED_PAUSE_MS))
    }
  }
  return send()
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

/** The server refused to begin. */
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
