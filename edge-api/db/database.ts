import {
  createClient,
  type Client,
  type InArgs,
  type InStatement,
  LibsqlError,
  type ResultSet,
} from '@libsql/client/web'
import { drizzle } from 'drizzle-orm/libsql/web'
import { batchByName } from './batch-by-name.ts'
import { ConstraintViolation, DatabaseUnavailable } from './database-error.ts'
import type { WriteGate } from './write-gate.ts'

/** Long enough that a busy server is waited for: an aborted write is still executed there. */
const TIMEOUT_MS = 15_000
/** While the server moves its log into the database it turns writers away. */
const LOCKED_PAUSES_MS = [50, 150, 400, 1_000]
const OWN_FAULTS = ['SQLITE_ERROR', 'SQL_INPUT_ERROR']

export interface DatabaseOptions {
  url: string
  authToken: string
  writeGate: WriteGate
  /** How long one round trip may take. */
  timeoutMs?: number
}

/**
 * The database as the domain sees it: drizzle to build statements, `batch` to send several in one
 * atomic round trip. One per request: a client shared by requests makes workerd kill them as hung.
 */
export function openDatabase(options: DatabaseOptions) {
  const { url, authToken, writeGate, timeoutMs = TIMEOUT_MS } = options
  const client = createClient({
    url,
    authToken,
    fetch: (input: Request) => {
      // The server takes longer to pack an answer than to find it: a few ms for gzip, 25 and more for Brotli.
      input.headers.set('accept-encoding', 'identity')
      return fetch(input, { signal: AbortSignal.timeout(timeoutMs) })
    },
  })
  const wire = countTrips(client, writeGate)
  const db = drizzle({ client: wire.client })
  return Object.assign(db, { trips: wire.trips, batch: batchByName(db.batch.bind(db)) })
}

export type Database = ReturnType<typeof openDatabase>

function countTrips(wire: Client, writeGate: WriteGate) {
  let trips = 0
  const batch = async (statements: (InStatement | [string, InArgs?])[]): Promise<ResultSet[]> => {
    const mode = statements.every(isRead) ? 'read' : 'write'
    const call = () => {
      trips += 1
      return wire.batch(statements, mode)
    }
    try {
      return mode === 'read'
        ? await retryOnce(() => waitOutLock(call))
        : await writeGate.pass(() => waitOutLock(call))
    } catch (error) {
      throw translate(error)
    }
  }
  return { trips: () => trips, client: batchOnly(batch) }
}

/**
 * Everything goes by `batch`: one round trip whatever it holds, and drizzle does not wrap its errors
 * (the wrapped message would carry the parameters, secrets among them).
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

/** A read is safe to repeat: one more try, at once, after a broken connection; who waited in vain has waited enough. */
async function retryOnce<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof LibsqlError && error.code.startsWith('SQLITE')) throw error
    if (isTimeout(error)) throw error
    return read()
  }
}

/** A transaction that found the database locked never began, so it may be sent again, a write too. */
async function waitOutLock<Result>(send: () => Promise<Result>): Promise<Result> {
  for (const pauseMs of LOCKED_PAUSES_MS) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof LibsqlError && error.code === 'SQLITE_BUSY')) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  return send()
}

function translate(error: unknown): unknown {
  if (error instanceof LibsqlError && error.code.startsWith('SQLITE_CONSTRAINT')) {
    return new ConstraintViolation(error.message, { cause: error })
  }
  // A statement that is wrong is our own fault: it stays what it is.
  if (error instanceof LibsqlError && OWN_FAULTS.includes(error.code)) return error
  if (error instanceof LibsqlError || error instanceof TypeError || isCutOff(error)) {
    return new DatabaseUnavailable('the database did not answer', { cause: error })
  }
  return error
}

/** Out of time, or what workerd says, in a plain Error, of a server that went away. */
function isCutOff(error: unknown): boolean {
  return (
    isTimeout(error) || (error instanceof Error && /network connection lost/i.test(error.message))
  )
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && ['TimeoutError', 'AbortError'].includes(error.name)
}
