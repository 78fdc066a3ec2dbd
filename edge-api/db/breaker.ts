import { DatabaseUnavailable } from './database-error.ts'
import { UnderWay } from './under-way.ts'

/** The server is silent when it has answered nobody for so long, although somebody waits. */
const SILENT_MS = 5_000
/** How often a waiting call looks whether it is. */
const LOOK_MS = 500
/** So many calls have to wait: a single one may ask for much. */
const SUSPICIOUS = 4
/** So many calls go on waiting for a silent server, each until its timeout, to find out when it answers again. */
const PROBES = 2

/** Ends the calls of one isolate while the database answers nobody: each would wait until its timeout. */
export class Breaker {
  private readonly waiting: UnderWay
  private answeredAt = 0
  private isOpen = false
  private readonly clock: () => number

  /** `clock` in milliseconds. */
  constructor(clock: () => number) {
    this.clock = clock
    this.waiting = new UnderWay(clock)
  }

  /**
   * Makes the call. Throws DatabaseUnavailable while the server is silent: at once, or, for a call that waits already, when
   * the silence has lasted for five seconds. What such a call asked for may still be done.
   */
  async pass<Result>(call: () => Promise<Result>): Promise<Result> {
    if (this.waiting.count >= PROBES && this.isSilent()) throw silence()
    const mark = this.waiting.begin()
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
      this.waiting.end(mark)
    }
  }

  /** Rejects when the server is silent, unless so few calls wait that this one goes on. */
  private patienceOf(mark: symbol) {
    let timer: ReturnType<typeof setInterval> | undefined
    const isOver = new Promise<never>((_, reject) => {
      timer = setInterval(() => {
        if (!this.isSilent() || this.waiting.count <= PROBES) return
        this.waiting.end(mark)
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

  /** True from when many have waited for long until somebody is answered. */
  private isSilent(): boolean {
    const { count, oldest } = this.waiting
    const isOverdue = this.clock() - Math.max(oldest, this.answeredAt) > SILENT_MS
    this.isOpen ||= isOverdue && count >= SUSPICIOUS
    return this.isOpen
  }
}

function silence(): DatabaseUnavailable {
  return new DatabaseUnavailable('the database answers nobody')
}
