import { SERVER } from '../../src/contract/messages.ts'
import { Refusal } from './refusal.ts'

/**
 * Each hash takes 32 MiB, and Workers compute it on the thread that answers every other call: two at once would take
 * as long as one after the other, and keep the others waiting for twice as long.
 */
const AT_ONCE = 1
/** How many hashes may run or wait. */
const QUEUE_MAX = 20
/** About how long one place in the queue takes: a hash (docs/runbook.md), and the calls answered before the next. */
const SECONDS_PER_HASH = 0.25
/**
 * How long a call may wait. Browsers give up after 20 seconds, and workerd cuts a call whose caller has gone off after 30: a
 * place that is left then would wait for ever, before all others.
 */
const WAIT_MS = 15_000
/** After this many calls all counts are halved: often enough to forget old calls, seldom enough to recognise a flood. */
const HALVED_AFTER = 500

/** This many calls of a network count as one call of each account that is known in it. */
const NETWORK_SHARE = 4

interface Caller {
  network: string
  /**
   * A caller that is counted separately from the strangers on its network: a browser that an account knows, or one that is
   * signed in.
   */
  known?: string | undefined
}

interface Place {
  readonly caller: Caller
  state: 'waiting' | 'running' | 'displaced'
}

/**
 * Bounds the password hashes of one isolate, so that many sign-ins at once do not keep other calls waiting. The queue is fair:
 * the caller with the fewest recent calls is next, and when the queue is full, the heaviest caller loses a place. A flood
 * therefore waits behind itself and displaces nobody else, even if each of its calls uses another account.
 */
export class HashGate {
  private queue: Place[] = []
  private calls = new Map<string, number>()
  private counted = 0
  private readonly pause: () => Promise<void>
  private readonly clock: () => number

  /**
   * `pause` lets other calls run for a few milliseconds. Each waiting call has its own pauses, because workerd does
   * not let one request wake another. `clock` in milliseconds.
   */
  constructor(pause: () => Promise<void>, clock: () => number) {
    this.pause = pause
    this.clock = clock
  }

  /**
   * Computes a hash when its turn comes. OVERLOADED, with Retry-After, when the queue is full of calls that go first, or
   * after a long wait.
   */
  async pass<Result>(
    network: string,
    hash: () => Promise<Result>,
    known?: string,
  ): Promise<Result> {
    const caller = { network, known }
    this.count(caller)
    if (this.queue.length >= QUEUE_MAX) this.makeRoomFor(caller)
    const place: Place = { caller, state: 'waiting' }
    this.queue.push(place)
    const endsAt = this.clock() + WAIT_MS
    try {
      // Calls that arrive together join the queue before the first of them computes.
      do {
        await this.pause()
        if (place.state === 'displaced' || this.clock() > endsAt) throw this.overloaded()
      } while (this.next() !== place)
      place.state = 'running'
      const result = await hash()
      // Before the next in the queue computes, calls that came meanwhile are read.
      await this.pause()
      return result
    } finally {
      this.leave(place)
    }
  }

  private count({ network, known }: Caller): void {
    if (this.counted >= HALVED_AFTER) {
      const halves = [...this.calls].map(([one, calls]) => [one, Math.floor(calls / 2)] as const)
      this.calls = new Map(halves.filter(([, calls]) => calls > 0))
      this.counted = 0
    }
    this.counted += 1
    for (const key of known === undefined ? [network] : [network, known]) {
      this.calls.set(key, (this.calls.get(key) ?? 0) + 1)
    }
  }

  private callsOf({ network, known }: Caller): number {
    const ofNetwork = this.calls.get(network) ?? 0
    if (known === undefined) return ofNetwork
    return Math.max(this.calls.get(known) ?? 0, Math.floor(ofNetwork / NETWORK_SHARE))
  }

  /** The next place: among the callers with the fewest calls, the one that came first. */
  private next(): Place | undefined {
    const running = this.queue.filter(({ state }) => state === 'running').length
    if (running >= AT_ONCE) return undefined
    return this.waiting().reduce<Place | undefined>(
      (best, place) =>
        best === undefined || this.callsOf(place.caller) < this.callsOf(best.caller) ? place : best,
      undefined,
    )
  }

  private waiting(): Place[] {
    return this.queue.filter(({ state }) => state === 'waiting')
  }

  /** Takes a place of the heaviest caller, the latest one first. Throws when no waiting caller has called more. */
  private makeRoomFor(caller: Caller): void {
    const [worst] = this.waiting()
      .reverse()
      .sort((one, other) => this.callsOf(other.caller) - this.callsOf(one.caller))
    if (worst === undefined || this.callsOf(worst.caller) <= this.callsOf(caller)) {
      throw this.overloaded()
    }
    worst.state = 'displaced'
    this.leave(worst)
  }

  private leave(place: Place): void {
    this.queue = this.queue.filter((other) => other !== place)
  }

  private overloaded(): Refusal {
    const retryAfterSeconds = Math.max(1, Math.ceil(this.queue.length * SECONDS_PER_HASH))
    return new Refusal('OVERLOADED', SERVER.overloaded, { retryAfterSeconds })
  }
}
