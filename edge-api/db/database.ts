import {
  createClient,
  type Client,
  type InArgs,
  type InStatement,
  LibsqlError,
  type ResultSet,
} from '@libsql/client/http'
import { drizzle } from 'drizzle-orm/libsql/http'
import { batchByName } from './batch-by-name.ts'
import { ConstraintViolation, DatabaseUnavailable } from './database-error.ts'
import type { Breaker } from './breaker.ts'
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
  /** How long one round trip may take. */
  timeoutMs?: number
}

/**
 * The database as the domain uses it: drizzle builds statements, `batch` sends several in one atomic round trip.
 * Each request opens its own, because workerd kills requests that share a client as hung.
 */
export function openDatabase(options: DatabaseOptions) {
  const wire = countTrips(options)
  const db = drizzle({ client: wire.client })
  return Object.assign(db, { trips: wire.trips, batch: batchByName(db.batch.bind(db)) })
}

export type Database = ReturnType<typeof openDatabase>

function openClient({ url, authToken, timeoutMs = TIMEOUT_MS }: DatabaseOptions): Client {
  return createClient({
    url,
    authToken,
    fetch: (input: Request) => {
      // Compressing an answer takes the server longer than finding it: a few ms for gzip, 25 ms or more for Brotli.
      input.headers.set('accept-encoding', 'identity')
      return fetch(input, { signal: AbortSignal.timeout(timeoutMs) })
    },
  })
}

/** Opens a client with the first trip: many calls make none. */
function countTrips(options: DatabaseOptions) {
  const { writeGate, breaker } = options
  let trips = 0
  let client: Client | null = null
  const batch = async (statements: (InStatement | [string, InArgs?])[]): Promise<ResultSet[]> => {
    const mode = statements.every(isRead) ? 'read' : 'write'
    const call = () => {
      trips += 1
      client ??= openClient(options)
      return sendTo(client, statements, mode)
    }
    const send = async () => {
      try {
        return mode === 'read' ? await retryOnce(() => waitOutLock(call)) : await waitOutLock(call)
      } catch (error) {
        throw translate(error)
      }
    }
    const watched = () => (breaker === undefined ? send() : breaker.pass(send))
    // The gate is outside: that it is full says nothing about the server.
    return mode === 'read' ? watched() : writeGate.pass(watched)
  }
  return { trips: () => trips, client: batchOnly(batch) }
}

/** A single read needs no transaction around it, and the server two statements less. */
async function sendTo(
  client: Client,
  statements: (InStatement | [string, InArgs?])[],
  mode: 'read' | 'write',
): Promise<ResultSet[]> {
  const [only, ...others] = statements
  const isSingle = only !== undefined && others.length === 0 && !Array.isArray(only)
  return isSingle && mode === 'read' ? [await client.execute(only)] : client.batch(statements, mode)
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

function isRead(statement: InStatement | [string, InArgs?]): boolean {
  const text =
    typeof statement === 'string' ? statement : 'sql' in statement ? statement.sql : statement[0]
  return /^\s*(select|with)\b/i.test(text)
}

/** Repeats a read once after a broken connection, which is safe. Does not repeat a read that timed out. */
async function retryOnce<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof LibsqlError && error.code.startsWith('SQLITE')) throw error
    if (isTimeout(error)) throw error
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
  if (error instanceof LibsqlError || error instanceof TypeError || isCutOff(error)) {
    return new DatabaseUnavailable('the database did not answer', { cause: error })
  }
  return error
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
