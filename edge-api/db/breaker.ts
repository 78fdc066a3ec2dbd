import { DatabaseUnavailable } from './database-error.ts'

/** A call that waits longer, while no other is answered, means that the server is silent. */
const SILENT_MS = 3_000
/** A call ends by itself long before this. One that was cut off would otherwise count as waiting for ever. */
const GONE_MS = 60_000
/** So many calls may wait for a silent server, to find out when it answers again. */
const WAITING_MAX = 8

/** Refuses the calls of one isolate at once while the database answers nobody: each would wait until its timeout. */
export class Breaker {
  private readonly begun = new Map<symbol, number>()
  private answeredAt = 0
  private readonly clock: () => number

  /** `clock` in milliseconds. */
  constructor(clock: () => number) {
    this.clock = clock
  }

  /** Makes the call, or throws DatabaseUnavailable while the server is silent. */
  async pass<Result>(call: () => Promise<Result>): Promise<Result> {
    this.forgetGone()
    if (this.begun.size >= WAITING_MAX && this.isSilent()) {
      throw new DatabaseUnavailable('the database answers nobody')
    }
    const mark = Symbol('call')
    this.begun.set(mark, this.clock())
    try {
      const result = await call()
      this.answeredAt = this.clock()
      return result
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) this.answeredAt = this.clock()
      throw error
    } finally {
      this.begun.delete(mark)
    }
  }

  private forgetGone(): void {
    for (const [mark, begunAt] of this.begun) {
      if (this.clock() - begunAt > GONE_MS) this.begun.delete(mark)
    }
  }

  private isSilent(): boolean {
    // Calls are kept in the order they began.
    const [oldest = Infinity] = this.begun.values()
    return this.clock() - oldest > SILENT_MS && this.answeredAt < oldest
  }
}
