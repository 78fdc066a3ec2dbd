import { DatabaseUnavailable } from './database-error.ts'

/** The server is silent when it has answered nobody for so long, although somebody waits. */
const SILENT_MS = 5_000
/** How often a waiting call looks whether it is. */
const LOOK_MS = 500
/** So many calls have to wait: a single one may ask for much. */
const SUSPICIOUS = 4
/** So many calls go on waiting for a silent server, each until its timeout, to find out when it answers again. */
const PROBES = 2
/** A call ends by itself long before this. One that was cut off would otherwise count as waiting for ever. */
const GONE_MS = 60_000

/** Ends the calls of one isolate while the database answers nobody: each would wait until its timeout. */
export class Breaker {
  private readonly begun = new Map<symbol, number>()
  private answeredAt = 0
  private isOpen = false
  private readonly clock: () => number

  /** `clock` in milliseconds. */
  constructor(clock: () => number) {
    this.clock = clock
  }

  /**
   * Makes the call. Throws DatabaseUnavailable while the server is silent: at once, or, for a call that waits already, when
   * the silence has lasted for five seconds. What such a call asked for may still be done.
   */
  async pass<Result>(call: () => Promise<Result>): Promise<Result> {
    this.forgetGone()
    if (this.isSilent() && this.begun.size >= PROBES) throw silence()
    const mark = Symbol('call')
    this.begun.set(mark, this.clock())
    const patience = this.patienceOf(mark)
    try {
      const result = await Promise.race([call(), patience.isOver])
      this.noteAnswer()
      return result
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) this.noteAnswer()
      throw error
    } finally {
      patience.end()
      this.begun.delete(mark)
    }
  }

  /** Rejects when the server is silent, unless so few calls wait that this one goes on. */
  private patienceOf(mark: symbol) {
    let timer: ReturnType<typeof setInterval> | undefined
    const isOver = new Promise<never>((_, reject) => {
      timer = setInterval(() => {
        if (!this.isSilent() || this.begun.size <= PROBES) return
        this.begun.delete(mark)
        reject(silence())
      }, LOOK_MS)
    })
    return {
      isOver,
      end: () => {
        clearInterval(timer)
      },
    }
  }

  private noteAnswer(): void {
    this.answeredAt = this.clock()
    this.isOpen = false
  }

  private forgetGone(): void {
    for (const [mark, begunAt] of this.begun) {
      if (this.clock() - begunAt > GONE_MS) this.begun.delete(mark)
    }
  }

  /** True from when many have waited for long until somebody is answered. */
  private isSilent(): boolean {
    // Calls are kept in the order they began.
    const [oldest = Infinity] = this.begun.values()
    const isOverdue = this.clock() - Math.max(oldest, this.answeredAt) > SILENT_MS
    this.isOpen ||= isOverdue && this.begun.size >= SUSPICIOUS
    return this.isOpen
  }
}

function silence(): DatabaseUnavailable {
  return new DatabaseUnavailable('the database answers nobody')
}
