import { createHash } from 'node:crypto'
import type { Clock } from './clock.ts'
import type { WebhookAction } from './fault-rule.ts'
import type { Job, State } from './state.ts'

/** Values that do not change while the emulator runs. */
export interface Config {
  readonly keyId: string
  readonly keySecret: string
  readonly webhookSecret: string
  readonly webhookUrl: string
  readonly publicOrigin: string
  readonly fetch: typeof fetch
  readonly log: (line: string) => void
  /** Shown in the console until the emulator is restarted. */
  readonly warning: string | null
}

/** One request to the emulator. */
interface JournalEntry {
  at: number
  method: string
  path: string
  status: number | null
  fault: string | null
}

/** The state and configuration of the emulator. A reset replaces `state`, so no code keeps a reference to it. */
export interface World {
  state: State
  journal: JournalEntry[]
  readonly clock: Clock
  readonly config: Config
  /** The webhook actions of the preset that is running. */
  webhookActions: readonly WebhookAction[]
  /** Called after a timer was added. */
  armTimers: () => void
}

export function nowSeconds(world: World): number {
  return Math.floor(world.clock.now() / 1000)
}

export function nextNumber(world: World): number {
  world.state.counter += 1
  return world.state.counter
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/**
 * An id such as `pay_EMU` and eleven characters, in the form of Razorpay's ids; without a prefix for webhook events.
 * The same seed and counter give the same id.
 */
export function newId(world: World, prefix: string): string {
  const bytes = digest(`${world.state.seed}:${String(nextNumber(world))}`).subarray(0, 11)
  const tail = Array.from(bytes, (byte) => alphabet.charAt(byte % alphabet.length))
  return `${prefix}EMU${tail.join('')}`
}

/** A seed for a reset that must not repeat any id. */
export function nextSeed({ seed, counter }: State): string {
  return digest(`reset:${seed}:${String(counter)}`)
    .toString('hex')
    .slice(0, 16)
}

/** Schedules a job for an instant of the virtual clock, in milliseconds. */
export function scheduleAt(world: World, at: number, job: Job): void {
  world.state.timers.push({ id: nextNumber(world), at: Math.round(at), job })
  world.armTimers()
}

/** Runs a preset whose webhooks are treated by the given actions. */
export function withWebhookActions<Result>(
  world: World,
  actions: readonly WebhookAction[],
  run: () => Result,
): Result {
  world.webhookActions = actions
  try {
    return run()
  } finally {
    world.webhookActions = []
  }
}
