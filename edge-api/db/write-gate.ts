import { DatabaseBusy } from './database-error.ts'

/**
 * Limits the writes that one isolate has in flight. The server still runs a write whose caller has gone, and each one
 * waits there with a thread of its own, so excess writes must be refused here.
 */
export class WriteGate {
  private inFlight = 0
  private readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  /** Runs the write, or throws DatabaseBusy when the limit is reached. */
  async pass<Result>(write: () => Promise<Result>): Promise<Result> {
    if (this.inFlight >= this.limit) throw new DatabaseBusy('too many writes in flight')
    this.inFlight += 1
    try {
      return await write()
    } finally {
      this.inFlight -= 1
    }
  }
}
