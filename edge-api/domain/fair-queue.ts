import { SERVER } from '../../src/contract/messages.ts'
import { ApiError } from './api-error.ts'

/** How long a place is kept without progress: until its turn, its end, or the next text of a stream. */
const PATIENCE_MS = { waiting: 15_000, running: 60_000, streaming: 10_000, overtime: 10_000 }
/** A stream that takes longer goes on without a place. */
const STREAM_MS = 60_000
const POLL_MS = 10
/** This many places or calls of a network count as one of each account that calls from it. */
const NETWORK_SHARE = 4
/** An account that has called more often, or whose network has, precedes no stranger: many accounts may be one person's. */
const FEW_CALLS = 4
/** After this many calls all counts are halved: often enough to forget old calls, seldom enough to recognise a flood. */
const HALVED_AFTER = 500

interface Limits {
  /** How many run at once. */
  atOnce: number
  /** How many run or wait. */
  places: number
  /** About how long one takes, for `Retry-After`. */
  secondsEach: number
}

interface Time {
  /** Milliseconds. */
  clock: () => number
  /** Each call has its own pauses, because workerd does not let one request wake another. */
  pause: (ms: number) => Promise<void>
}

interface Place {
  readonly network: string
  readonly account: string | undefined
  state: keyof typeof PATIENCE_MS | 'gone'
  startedAt: number
  /** The last progress. */
  movedAt: number
}

/**
 * Bounds one kind of costly work in an isolate: a few at once, one for an account, and a short line. The network with the
 * fewest places is next, then a browser that its account knows, if it called seldom, then the network with the fewest recent
 * calls. When the line is full, the last in this order loses its place. So a flood from one network waits behind itself, and a
 * single call from another network goes before it.
 *
 * `account` is the id of an account or the key of the browsers that one knows (`knownBrowserKey`). It is counted apart from the
 * strangers of its network. Both methods reject with OVERLOADED (503 and `Retry-After`) when there is no place, or after a wait of 15 seconds.
 */
export class FairQueue {
  private readonly limits: Limits
  private readonly time: Time
  /** In the order they came. */
  private places: Place[] = []
  private calls = new Map<string, number>()
  private counted = 0

  constructor(limits: Limits, time: Time) {
    this.limits = limits
    this.time = time
  }

  /** Does `work` when its turn comes. After 60 seconds others no longer wait for it. */
  async run<Result>(
    network: string,
    work: () => Promise<Result>,
    account?: string,
  ): Promise<Result> {
    const place = await this.enter(network, account)
    try {
      const result = await work()
      // Before the next one runs, calls that came meanwhile are read.
      await this.time.pause(POLL_MS)
      return result
    } finally {
      this.leave(place)
    }
  }

  /**
   * Streams texts when its turn comes. Each is made when the reader has taken the one before. The place is given back when the
   * reader goes away, and after 60 seconds. The stream breaks off after 10 seconds without progress, and when `texts` throws;
   * what it throws before the first text rejects the call.
   */
  async stream(
    network: string,
    texts: AsyncIterator<string, void>,
    account?: string,
  ): Promise<ReadableStream<Uint8Array>> {
    const place = await this.enter(network, account)
    place.state = 'streaming'
    const next = async (): Promise<Uint8Array | null> => {
      try {
        const { done, value } = await texts.next()
        this.sweep()
        if (isGone(place)) throw new Error('the reader was too slow')
        place.movedAt = this.time.clock()
        return done === true ? null : new TextEncoder().encode(value)
      } catch (error) {
        this.leave(place)
        throw error
      }
    }
    let text = await next()
    return new ReadableStream(
      {
        start: (controller) => {
          void this.whenGone(place).then(() => {
            if (text !== null) controller.error(new Error('the reader was too slow'))
          })
        },
        pull: async (controller) => {
          if (text !== null) controller.enqueue(text)
          text = await next()
          if (text !== null) return
          this.leave(place)
          controller.close()
        },
        cancel: () => this.leave(place),
      },
      { highWaterMark: 0 },
    )
  }

  private async enter(network: string, account: string | undefined): Promise<Place> {
    const now = this.time.clock()
    const place: Place = { network, account, state: 'waiting', startedAt: now, movedAt: now }
    this.count(place)
    this.sweep()
    this.places.push(place)
    if (this.length() > this.limits.places) this.leave(this.line().at(-1) ?? place)
    // Calls that arrive together join the line before the first of them runs.
    while (!isGone(place)) {
      await this.time.pause(POLL_MS)
      this.sweep()
      if (this.next() !== place) continue
      place.startedAt = place.movedAt = this.time.clock()
      place.state = 'running'
      return place
    }
    const retryAfterSeconds = Math.ceil((this.length() + 1) * this.limits.secondsEach)
    throw new ApiError('OVERLOADED', SERVER.overloaded, { retryAfterSeconds })
  }

  private length(): number {
    return this.places.filter(({ state }) => state !== 'overtime').length
  }

  private next(): Place | undefined {
    const line = this.line()
    if (this.length() - line.length >= this.limits.atOnce) return undefined
    const begun = new Set(
      this.places.filter((place) => !line.includes(place)).map(({ account }) => account),
    )
    return line.find(({ account }) => account === undefined || !begun.has(account))
  }

  /** The places that wait, the next one first. */
  private line(): Place[] {
    return this.places
      .filter(({ state }) => state === 'waiting')
      .map((place) => ({
        place,
        places: share(place, (key) => this.placesOf(key)),
        calls: share(place, (key) => this.calls.get(key) ?? 0),
      }))
      .map((waiting) => ({ ...waiting, isLater: isLater(waiting) ? 1 : 0 }))
      .sort(
        (one, other) =>
          one.places - other.places || one.isLater - other.isLater || one.calls - other.calls,
      )
      .map(({ place }) => place)
  }

  private placesOf(key: string): number {
    return this.places.filter(({ network, account }) => network === key || account === key).length
  }

  private count({ network, account = network }: Place): void {
    if ((this.counted += 1) % HALVED_AFTER === 0) {
      const halves = [...this.calls].map(([key, calls]) => [key, Math.floor(calls / 2)] as const)
      this.calls = new Map(halves.filter(([, calls]) => calls > 0))
    }
    for (const key of new Set([network, account]))
      this.calls.set(key, (this.calls.get(key) ?? 0) + 1)
  }

  /** Gives back the places that made no progress: workerd ends a call whose reader has gone without a word. */
  private sweep(): void {
    const now = this.time.clock()
    for (const place of this.places) {
      const { state, startedAt, movedAt } = place
      if (state === 'gone' || now - movedAt > PATIENCE_MS[state]) this.leave(place)
      else if (state === 'streaming' && now - startedAt > STREAM_MS) place.state = 'overtime'
    }
  }

  private async whenGone(place: Place): Promise<void> {
    while (!isGone(place)) {
      const leftMs = place.movedAt + PATIENCE_MS.streaming - this.time.clock()
      await this.time.pause(Math.max(POLL_MS, leftMs + 1))
      this.sweep()
    }
  }

  private leave(place: Place): void {
    place.state = 'gone'
    this.places = this.places.filter((other) => other !== place)
  }
}

function isGone({ state }: Place): boolean {
  return state === 'gone'
}

/** Whether a place has no precedence over strangers. */
function isLater({ place, calls }: { place: Place; calls: number }): boolean {
  return place.account === undefined || calls > FEW_CALLS
}

/** What a place counts for: an account for itself, and for a part of its network. */
function share({ network, account }: Place, countOf: (key: string) => number): number {
  const ofNetwork = countOf(network)
  if (account === undefined) return ofNetwork
  return Math.max(countOf(account), Math.floor(ofNetwork / NETWORK_SHARE))
}

/** One line for each kind of work, so that a full one rejects no other. Webhooks, cron and signed payments wait in none. */
export type Queues = Readonly<Record<'hashes' | 'exports' | 'provider' | 'searches', FairQueue>>

/** The queues of an isolate. */
export function createQueues(time: Time): Queues {
  return {
    // A hash takes 32 MiB and the thread that answers every other call: two at once take as long as one after the other.
    hashes: new FairQueue({ atOnce: 1, places: 20, secondsEach: 0.25 }, time),
    exports: new FairQueue({ atOnce: 2, places: 12, secondsEach: 2 }, time),
    provider: new FairQueue({ atOnce: 4, places: 20, secondsEach: 0.5 }, time),
    searches: new FairQueue({ atOnce: 2, places: 12, secondsEach: 0.5 }, time),
  }
}
