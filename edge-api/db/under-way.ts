/** A trip ends by itself long before this. One whose call was cut off would otherwise count for ever. */
const GONE_MS = 60_000

/** The trips of an isolate that have begun and not ended. */
export class UnderWay {
  private readonly begun = new Map<symbol, number>()
  private readonly clock: () => number

  /** `clock` in milliseconds. */
  constructor(clock: () => number) {
    this.clock = clock
  }

  get count(): number {
    for (const [mark, begunAt] of this.begun) {
      // They are kept in the order they began.
      if (this.clock() - begunAt <= GONE_MS) break
      this.begun.delete(mark)
    }
    return this.begun.size
  }

  /** When the oldest began, in milliseconds; Infinity without any. */
  get oldest(): number {
    const [oldest = Infinity] = this.begun.values()
    return oldest
  }

  /** Counts one more, until `end` is called with what this returns. */
  begin(): symbol {
    const mark = Symbol('trip')
    this.begun.set(mark, this.clock())
    return mark
  }

  end(mark: symbol): void {
    this.begun.delete(mark)
  }
}
