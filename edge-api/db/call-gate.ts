import { DatabaseBusy } from './database-error.ts'

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
