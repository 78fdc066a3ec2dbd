import { LibsqlError, type ResultSet, type Row } from '@libsql/client/http'

/** The server closes a connection that nobody has used for ten seconds. */
const IDLE_MAX_MS = 5_000

/** The error code of a server that has too much to do, or no connection left. It has executed nothing. */
export const SERVER_BUSY = 'SERVER_BUSY'

/** A statement of drizzle's, with its parameters in order. */
export interface Statement {
  sql: string
  args: readonly unknown[]
}

export type Mode = 'read' | 'write'

interface Server {
  url: string
  authToken: string
  /** In milliseconds. */
  clock: () => number
}

/** How the server recognises a connection: its secret, and the address it asked us to use from then on. */
interface Connection {
  baton: string
  url: string
  idleSince: number
}

/**
 * The open connections of one isolate to the database server. A new one reads the whole schema, which is four fifths of
 * what a small call costs the server. The protocol is libSQL's Hrana 2 over HTTP
 * (https://github.com/tursodatabase/libsql/blob/main/docs/HRANA_2_SPEC.md); why we speak it ourselves:
 * docs/decisions/0141-a-busy-isolate-keeps-its-database-connections.md.
 */
export class Connections {
  private readonly server: Server
  private readonly idle: Connection[] = []

  constructor(server: Server) {
    this.server = server
  }

  /**
   * Sends statements in one round trip, in one transaction unless it is a single read. Throws a LibsqlError when the server
   * refuses, and what `fetch` throws when it cannot be reached or takes longer than `timeoutMs`.
   */
  async send(
    statements: readonly Statement[],
    mode: Mode,
    timeoutMs: number,
  ): Promise<ResultSet[]> {
    const encoded = statements.map(toStatement)
    // A single read needs no transaction, which saves the server two statements.
    const isSingleRead = mode === 'read' && statements.length === 1
    const request = isSingleRead ? { type: 'execute', stmt: encoded[0] } : toBatch(encoded, mode)
    const { result } = toFields(await this.exchange(request, timeoutMs))
    return isSingleRead ? [toResultSet(result)] : resultsOfBatch(result, statements.length)
  }

  private async exchange(request: object, timeoutMs: number): Promise<unknown> {
    const connection = this.takeIdle()
    let response = await this.post(connection, request, timeoutMs)
    // The server has closed the connection, or was restarted, and has executed nothing.
    if (connection !== null && [400, 404].includes(response.status)) {
      response = await this.post(null, request, timeoutMs)
    }
    if (!response.ok) {
      const refusal = `the database answered ${response.status}: ${await response.text()}`
      const code = response.status === 429 ? SERVER_BUSY : 'SERVER_ERROR'
      throw new LibsqlError(refusal.slice(0, 500), code)
    }
    const { baton, base_url: url, results } = toFields(await response.json())
    const { error, response: answer } = toFields(toList(results)[0])
    if (error !== undefined) throw toError(error)
    if (typeof baton === 'string') {
      const address = typeof url === 'string' ? url : (connection?.url ?? this.server.url)
      this.idle.push({ baton, url: address, idleSince: this.server.clock() })
    }
    return answer
  }

  private takeIdle(): Connection | null {
    const last = this.idle.pop()
    if (last === undefined) return null
    if (this.server.clock() - last.idleSince < IDLE_MAX_MS) return last
    // The others are older.
    this.idle.length = 0
    return null
  }

  private post(connection: Connection | null, request: object, timeoutMs: number) {
    const { authToken, url } = this.server
    const base = (connection?.url ?? url).replace(/^libsql:/, 'https:').replace(/\/$/, '')
    return fetch(`${base}/v2/pipeline`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        // Compressing an answer takes the server longer than finding it: a few ms for gzip, 25 ms or more for Brotli.
        'accept-encoding': 'identity',
        ...(authToken === '' ? {} : { authorization: `Bearer ${authToken}` }),
      },
      body: JSON.stringify({ baton: connection?.baton ?? null, requests: [request] }),
      signal: AbortSignal.timeout(timeoutMs),
    })
  }
}

type Encoded = ReturnType<typeof toStatement>

/** The statements in a transaction: each runs if the one before it did, and COMMIT after the last. */
function toBatch(statements: readonly Encoded[], mode: Mode) {
  const commit = statements.length + 1
  const steps = [
    { stmt: { sql: mode === 'read' ? 'BEGIN TRANSACTION READONLY' : 'BEGIN IMMEDIATE' } },
    ...[...statements, { sql: 'COMMIT' }].map((stmt, place) => ({
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

/** A row, by the places and the names of its columns. Only the names can be listed, as drizzle expects. */
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

// Parsing an answer with zod would take as long as all other work on it.

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
