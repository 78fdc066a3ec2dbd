import { LibsqlError, type ResultSet, type Row } from '@libsql/client/http'
import type { Stream, Streams } from './streams.ts'

/** A statement of drizzle's: its parameters by their places. */
export interface Statement {
  sql: string
  args: readonly unknown[]
}

export type Mode = 'read' | 'write'

/** The code of the error when the server has too much to do, or no connection left. It has executed nothing then. */
export const SERVER_BUSY = 'SERVER_BUSY'

export interface ServerOptions {
  url: string
  authToken: string
  /** Without them, each trip begins a stream and ends it. */
  streams: Streams | null
  /** How long one round trip may take, in milliseconds. */
  timeoutMs: number
}

/**
 * Sends statements in one round trip, in one transaction unless it is a single read. This is libSQL's protocol Hrana 2
 * over HTTP (https://github.com/tursodatabase/libsql/blob/main/docs/HRANA_2_SPEC.md). The official client ends its stream
 * with each trip, and streams cannot be handed from request to request in it. Throws a LibsqlError when the server refuses, and
 * what `fetch` throws when it cannot be reached or takes too long.
 */
export async function sendStatements(
  server: ServerOptions,
  statements: readonly Statement[],
  mode: Mode,
): Promise<ResultSet[]> {
  const request = toRequest(statements, mode)
  const trip = (stream: Stream | null, leaveOpen: boolean) =>
    exchange(server, stream, leaveOpen ? [request] : [request, { type: 'close' }])
  const { streams } = server
  const [answer] = streams === null ? await trip(null, false) : [await streams.use(trip)]
  const { result } = toFields(answer)
  return isSingleRead(statements, mode)
    ? [toResultSet(result)]
    : resultsOfBatch(result, statements.length)
}

/** Sends requests on a stream, or on a new one. Resolves with the answer to the first, and the stream if it is left open. */
async function exchange(
  server: ServerOptions,
  stream: Stream | null,
  requests: object[],
): Promise<[answer: unknown, Stream | null]> {
  let response = await post(server, stream, requests)
  // The server has ended the stream, or was started anew, and has executed nothing.
  if (stream !== null && [400, 404].includes(response.status)) {
    response = await post(server, null, requests)
  }
  if (!response.ok) {
    const refusal = await refusalOf(response)
    // Idle streams may have used up its connections. That it has too many requests to do is not their fault.
    if (refusal.includes('opening database connection')) server.streams?.spare()
    throw new LibsqlError(refusal, response.status === 429 ? SERVER_BUSY : 'SERVER_ERROR')
  }
  const { baton, base_url: url, results } = toFields(await response.json())
  const { error, response: answer } = toFields(toList(results)[0])
  // Nobody knows what is open on this stream. The server ends it soon.
  if (error !== undefined) throw toError(error)
  if (typeof baton !== 'string') return [answer, null]
  return [answer, { baton, url: typeof url === 'string' ? url : (stream?.url ?? server.url) }]
}

function post(server: ServerOptions, stream: Stream | null, requests: object[]): Promise<Response> {
  const { authToken, timeoutMs } = server
  const base = (stream?.url ?? server.url).replace(/^libsql:/, 'https:').replace(/\/$/, '')
  return fetch(`${base}/v2/pipeline`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      // Compressing an answer takes the server longer than finding it: a few ms for gzip, 25 ms or more for Brotli.
      'accept-encoding': 'identity',
      ...(authToken === '' ? {} : { authorization: `Bearer ${authToken}` }),
    },
    body: JSON.stringify({ baton: stream?.baton ?? null, requests }),
    signal: AbortSignal.timeout(timeoutMs),
  })
}

async function refusalOf(response: Response): Promise<string> {
  return `the database answered ${response.status}: ${(await response.text()).slice(0, 500)}`
}

/** It needs no transaction around it, and the server two statements less. */
function isSingleRead(statements: readonly Statement[], mode: Mode): boolean {
  return mode === 'read' && statements.length === 1
}

function toRequest(statements: readonly Statement[], mode: Mode) {
  const own = statements.map(toStatement)
  if (isSingleRead(statements, mode)) return { type: 'execute', stmt: own[0] }
  const commit = own.length + 1
  const steps = [
    { stmt: { sql: mode === 'read' ? 'BEGIN TRANSACTION READONLY' : 'BEGIN IMMEDIATE' } },
    ...[...own, { sql: 'COMMIT' }].map((stmt, place) => ({
      stmt,
      condition: { type: 'ok', step: place },
    })),
    {
      stmt: { sql: 'ROLLBACK' },
      condition: { type: 'not', cond: { type: 'ok', step: commit } },
    },
  ]
  return { type: 'batch', batch: { steps } }
}

function toStatement({ sql, args }: Statement) {
  return { sql, args: args.map(toValue), want_rows: true }
}

function toValue(value: unknown) {
  if (value === null) return { type: 'null' }
  if (typeof value === 'string') return { type: 'text', value }
  if (typeof value === 'number' && Number.isFinite(value)) return { type: 'float', value }
  if (typeof value === 'boolean') return { type: 'integer', value: value ? '1' : '0' }
  throw new TypeError(`A parameter of a statement is a ${typeof value}`)
}

/** The results of the statements between BEGIN and COMMIT. Throws a LibsqlError for the step that failed. */
function resultsOfBatch(batch: unknown, count: number): ResultSet[] {
  const { step_results: results, step_errors: errors } = toFields(batch)
  const failed = toList(errors)
    .slice(0, count + 2)
    .find((error) => error !== null)
  if (failed !== undefined) throw toError(failed)
  return toList(results)
    .slice(1, count + 1)
    .map((result) => {
      if (result !== null) return toResultSet(result)
      throw new LibsqlError('a statement of the batch was not executed', 'TRANSACTION_CLOSED')
    })
}

function toError(error: unknown): LibsqlError {
  const { message, code } = toFields(error)
  return new LibsqlError(String(message), typeof code === 'string' ? code : 'UNKNOWN')
}

function toResultSet(result: unknown): ResultSet {
  const { cols, rows, affected_row_count: rowsAffected } = toFields(result)
  const columns = toList(cols).map((column) => String(toFields(column).name ?? ''))
  return {
    columns,
    columnTypes: [],
    rows: toList(rows).map((values) => toRow(columns, toList(values))),
    rowsAffected: Number(rowsAffected),
    lastInsertRowid: undefined,
    toJSON: () => null,
  }
}

/** A row by its columns' places and names, of which only the names can be listed. That is what drizzle expects. */
function toRow(columns: readonly string[], cells: readonly unknown[]): Row {
  const values = cells.map(fromValue)
  const row: Row = Object.defineProperty({ length: 0 }, 'length', {
    value: values.length,
    enumerable: false,
  })
  values.forEach((value, place) => {
    Object.defineProperty(row, place, { value })
    const name = columns[place]
    if (name !== undefined && !Object.hasOwn(row, name)) row[name] = value
  })
  return row
}

function fromValue(cell: unknown): string | number | null {
  const { type, value } = toFields(cell)
  if (type === 'null') return null
  if (type === 'text' && typeof value === 'string') return value
  if (type === 'float' && typeof value === 'number') return value
  const whole = Number(value)
  if (type === 'integer' && Number.isSafeInteger(whole)) return whole
  throw unexpected()
}

// Schemas of zod would take as long for an answer as all else that is done with it.

function toFields(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw unexpected()
  return { ...value }
}

function toList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw unexpected()
  return value
}

function unexpected(): LibsqlError {
  return new LibsqlError('the database sent what is not expected here', 'HRANA_PROTO_ERROR')
}
