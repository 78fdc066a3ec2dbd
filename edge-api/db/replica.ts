import type { ResultSet } from '@libsql/client/http'
import { type Mode, type ServerOptions, sendStatements, type Statement } from './hrana.ts'
import { Streams } from './streams.ts'

/** So long the replica may take for a read before the primary is asked. */
const TIMEOUT_MS = 1_000
/** So long no read goes to a replica that failed: each would wait for it. */
const REST_MS = 5_000
/** What the primary had so long ago the replica has to have, whatever its reader has seen. */
const LAG_MAX_MS = 10_000

const LAST_WRITE: Statement = { sql: 'SELECT at FROM last_write', args: [] }
const MARK_WRITE = `INSERT INTO last_write (id, at) VALUES (1, ?)
  ON CONFLICT (id) DO UPDATE SET at = max(at + 1, excluded.at) RETURNING at`

/** Results, and the last write before them, in milliseconds UTC. */
export interface Dated {
  results: ResultSet[]
  at: number
}

interface ReplicaOptions {
  url: string
  authToken: string
  /** In milliseconds UTC. */
  clock: () => number
  /** Called with the error because of which the replica is not asked for a while. */
  onFault: (error: unknown) => void
}

/**
 * A replica of the database as one isolate knows it. Each batch brings the time of the last write, which the write itself
 * stores: the server's own count of changes begins anew when it crashes
 * (docs/decisions/0142-reads-that-may-lag-go-to-a-replica.md).
 */
export class Replica {
  private readonly options: ReplicaOptions
  private readonly streams: Streams
  private restsUntil = -Infinity
  /** The last write that the primary told of, and the last one before LAG_MAX_MS began. */
  private heard = 0
  private floor = 0
  private floorSince = -Infinity

  constructor(options: ReplicaOptions) {
    this.options = options
    this.streams = new Streams(options.clock)
  }

  /** Sends statements to the primary. */
  async askPrimary(
    primary: ServerOptions,
    statements: readonly Statement[],
    mode: Mode,
  ): Promise<Dated> {
    const now = this.options.clock()
    const mark = mode === 'read' ? LAST_WRITE : { sql: MARK_WRITE, args: [now] }
    const answer = await send(primary, [...statements, mark], mode)
    if (now - this.floorSince >= LAG_MAX_MS) {
      this.floor = this.heard
      this.floorSince = now
    }
    this.heard = Math.max(this.heard, answer.at)
    return answer
  }

  isResting(): boolean {
    return this.options.clock() < this.restsUntil
  }

  /** Sends reads to the replica. Null when the primary has to be asked: the replica fails, or has not got the write at `seen`. */
  async read(statements: readonly Statement[], seen: number): Promise<Dated | null> {
    const { url, authToken, clock, onFault } = this.options
    const server = { url, authToken, streams: this.streams, timeoutMs: TIMEOUT_MS }
    try {
      const answer = await send(server, [...statements, LAST_WRITE], 'read')
      return answer.at >= Math.max(seen, this.floor) ? answer : null
    } catch (error) {
      this.restsUntil = clock() + REST_MS
      onFault(error)
      return null
    }
  }
}

/** Sends statements of which the last answers with the last write. */
async function send(server: ServerOptions, statements: Statement[], mode: Mode): Promise<Dated> {
  const results = await sendStatements(server, statements, mode)
  return { at: Number(results.at(-1)?.rows[0]?.['at'] ?? 0), results: results.slice(0, -1) }
}
