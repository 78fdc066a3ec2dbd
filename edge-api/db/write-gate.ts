import { DatabaseBusy } from './database-error.ts'
import { UnderWay } from './under-way.ts'

/**
 * Limits the writes that one isolate has in flight. The server still runs a write whose caller has gone, and each one
 * waits there with a thread of its own, so excess writes must be refused here.
 */
export class WriteGate {
  private readonly limit: number
  private readonly inFlight: UnderWay

  /** `clock` in milliseconds. */
  constructor(limit: number, clock: () => number) {
    this.limit = limit
    this.inFlight = new UnderWay(clock)
  }

  /** Runs the write, or throws DatabaseBusy when the limit is reached. */
  async pass<Result>(write: () => Promise<Result>): Promise<Result> {
    if (this.inFlight.count >= this.limit) throw new DatabaseBusy('too many writes in flight')
    const mark = this.inFlight.begin()
    try {
      return await write()
    } finally {
      this.inFlight.end(mark)
    }
  }
}
