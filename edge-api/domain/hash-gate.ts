import { SERVER } from '../../src/contract/messages.ts'
import { Refusal } from './refusal.ts'

/** Each hash takes 32 MiB, and Workers compute it on the thread that answers every other call. */
const AT_ONCE = 2
/** How many hashes may be under way or waiting. The last of them waits for about three seconds. */
const LINE_MAX = 20
const RETRY_AFTER_SECONDS = 5

/** Bounds the password hashes of one isolate, so that many sign-ins at once do not keep other calls waiting. */
export class HashGate {
  private readonly line: symbol[] = []
  private readonly pause: () => Promise<void>

  /**
   * `pause` lets other calls run for a few milliseconds. Each waiting call has its own pauses, because workerd does
   * not let one request wake another.
   */
  constructor(pause: () => Promise<void>) {
    this.pause = pause
  }

  /** Computes a hash when its turn comes. OVERLOADED, with Retry-After, when too many wait already. */
  async pass<Result>(hash: () => Promise<Result>): Promise<Result> {
    if (this.line.length >= LINE_MAX) {
      throw new Refusal('OVERLOADED', SERVER.overloaded, {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    }
    const place = Symbol('place')
    this.line.push(place)
    try {
      // Calls that arrive together join the line before the first of them computes.
      do await this.pause()
      while (this.line.indexOf(place) >= AT_ONCE)
      const result = await hash()
      // Before the next in line computes, calls that came meanwhile are read.
      await this.pause()
      return result
    } finally {
      this.line.splice(this.line.indexOf(place), 1)
    }
  }
}
