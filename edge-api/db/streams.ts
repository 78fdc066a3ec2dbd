import { UnderWay } from './under-way.ts'

/** The server ends a stream that nobody has used for ten seconds. */
const KEPT_MS = 5_000
/** An idle stream takes a connection of the server, so it is kept only while trips come so soon one after another. */
const BUSY_MS = 100
const KEPT_MAX = 16
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
  /** Trips under way that will leave their stream open. */
  private readonly leaving: UnderWay
  private lastTripAt = -Infinity
  private sparingUntil = -Infinity
  private readonly clock: () => number

  /** `clock` in milliseconds. */
  constructor(clock: () => number) {
    this.clock = clock
    this.leaving = new UnderWay(clock)
  }

  /**
   * Makes a trip on a kept stream, or null for one of its own. A trip that is told to leave its stream open resolves with
   * the stream as the server knows it then, or null when there is none.
   */
  async use<Result>(
    trip: (stream: Stream | null, leaveOpen: boolean) => Promise<[Result, Stream | null]>,
  ): Promise<Result> {
    const now = this.clock()
    const isBusy = now - this.lastTripAt < BUSY_MS && now >= this.sparingUntil
    this.lastTripAt = now
    const last = this.idle.pop()
    const isOld = last !== undefined && now - last.since >= KEPT_MS
    // The others are older.
    if (isOld) this.idle.length = 0
    const leaveOpen = isBusy && this.idle.length + this.leaving.count < KEPT_MAX
    const mark = leaveOpen ? this.leaving.begin() : null
    try {
      const [result, stream] = await trip(isOld ? null : (last?.stream ?? null), leaveOpen)
      if (stream !== null) this.idle.push({ stream, since: this.clock() })
      return result
    } finally {
      if (mark !== null) this.leaving.end(mark)
    }
  }

  /** Called when the server has no connection left for a new stream. Those that are kept end with their next trip. */
  spare(): void {
    this.sparingUntil = this.clock() + SPARING_MS
  }
}
