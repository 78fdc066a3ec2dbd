import {
  createClient,
  type InValue,
  LibsqlBatchError,
  LibsqlError,
  type ResultSet,
} from '@libsql/client/http'
import { keepStreams } from './keep-streams.ts'

/** A statement of drizzle's, with its parameters in order. */
export interface Statement {
  sql: string
  args: InValue[]
}

export type Mode = 'read' | 'write'

interface Server {
  url: string
  authToken: string
  /** In milliseconds. */
  clock: () => number
  /** Instead of the platform's, for somebody who watches. */
  fetch?: typeof fetch
}

/** The open connections of one isolate to the database server. */
export class Connections {
  private readonly server: Server
  private readonly fetch: ReturnType<typeof keepStreams>

  constructor(server: Server) {
    this.server = server
    this.fetch = keepStreams(server.clock, server.fetch)
  }

  /**
   * Sends statements in one round trip, in one transaction unless it is a single read. Throws a LibsqlError when the server
   * rejects, and what `fetch` throws when it cannot be reached or takes longer than `timeoutMs`.
   */
  async send(statements: Statement[], mode: Mode, timeoutMs: number): Promise<ResultSet[]> {
    const { url, authToken } = this.server
    // One for each call: a client counts its calls in flight, and would count one that is cut off with its request for ever.
    const client = createClient({
      url,
      ...(authToken && { authToken }),
      fetch: this.fetch(timeoutMs),
    })
    const [first, ...others] = statements
    try {
      // A single read needs no transaction, which saves the server two statements.
      if (mode === 'read' && first && others.length === 0) return [await client.execute(first)]
      return await client.batch(statements, mode)
    } catch (error) {
      throw toLibsqlError(error)
    }
  }
}

/** The client repeats the code of a batch's error, and names neither code nor kind of a whole number above 2^53. */
function toLibsqlError(error: unknown): unknown {
  if (error instanceof LibsqlBatchError && error.cause instanceof Error) {
    return new LibsqlError(error.cause.message, error.code)
  }
  if (!(error instanceof RangeError)) return error
  return new LibsqlError(error.message, 'HRANA_PROTO_ERROR', undefined, undefined, error)
}
