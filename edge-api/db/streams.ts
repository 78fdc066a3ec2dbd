/** The server ends a stream that nobody has used for ten seconds. */
const KEPT_MS = 5_000
/** An idle stream takes a connection of the server, so it is kept only while trips come so soon one after another. */
const BUSY_MS = 100
const KEPT_MAX = 8
/** So long no stream is kept after the server had no connection left. */
const SPARING_MS = 60_000

/** How the server knows a stream again: its secret, and the address it asked us to use from then on. */
export interface Stream {
  baton: string
  url: string
}

/**
 * The streams of one database server that a busy isolate keeps. A stream is a connection of the server, and a new one
 * reads the whole schema, which is four fifths of what a small call costs the server
 * (docs/decisions/0141-a-busy-isolate-keeps-its-database-connections.md).
 */
export class Streams {
  private readonly idle: { stream: Stream; since: number }[] = []
  private lastTripAt = -Infinity
  private sparingUntil = -Infinity
  private readonly clock: () => number

  /** `clock` in milliseconds. */
  constructor(clock: () => number) {
    this.clock = clock
  }

  /** A kept stream for one trip, or null, and whether the trip shall leave its stream open. */
  take(): { stream: Stream | null; leaveOpen: boolean } {
    const now = this.clock()
    const leaveOpen = now - this.lastTripAt < BUSY_MS && now >= this.sparingUntil
    this.lastTripAt = now
    const last = this.idle.pop()
    if (last === undefined || now - last.since < KEPT_MS) {
      return { stream: last?.stream ?? null, leaveOpen }
    }
    // The others are older.
    this.idle.length = 0
    return { stream: null, leaveOpen }
  }

  /** Keeps a stream that a trip left open. One too many is left to its server, which ends it soon. */
  keep(stream: Stream): void {
    if (this.idle.length < KEPT_MAX) this.idle.push({ stream, since: this.clock() })
  }

  /** Called when the server has no connection left for a new stream. Those that are kept end with their next trip. */
  spare(): void {
    this.sparingUntil = this.clock() + SPARING_MS
  }
}
