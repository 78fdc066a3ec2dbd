import { DatabaseBusy } from './database-error.ts'

/**
 * Bounds the writes one isolate has in flight. A write whose caller went away still runs on the server
 * and waits in line with a thread of its own there, so a storm of them must be refused here.
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
