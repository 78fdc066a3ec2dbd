import type { Clock } from './clock.ts'
import type { WebhookAction } from './fault/rule.ts'
import { makeIdBody } from './ids.ts'
import type { Job, State } from './state/state.ts'

/** What does not change while the emulator runs. */
export interface Config {
  readonly keyId: string
  readonly keySecret: string
  readonly webhookSecret: string
  readonly webhookUrl: string
  readonly publicOrigin: string
  readonly controlToken: string
  readonly webhookTimeoutMs: number
  readonly fetch: typeof fetch
  readonly log: (line: string) => void
}

/** Everything the verbs work on. `state` is replaced as a whole by a reset, so it is never kept aside. */
export interface World {
  state: State
  readonly clock: Clock
  readonly config: Config
  /** How webhooks of the running scenario are to be treated, in place of fault rules. */
  deliveryPlan: readonly WebhookAction[]
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

/** An id such as `pay_EMU…`; without a prefix for webhook events. */
export function newId(world: World, prefix: string): string {
  return prefix + makeIdBody(world.state.seed, nextNumber(world))
}

/** Lets a job run at an instant of the virtual clock, in milliseconds. */
export function scheduleAt(world: World, at: number, job: Job): void {
  world.state.timers.push({ id: nextNumber(world), at: Math.round(at), job })
  world.armTimers()
}

/** Runs one thing with webhooks treated as the plan says. */
export function withDeliveryPlan<Result>(
  world: World,
  plan: readonly WebhookAction[],
  run: () => Result,
): Result {
  const before = world.deliveryPlan
  world.deliveryPlan = plan
  try {
    return run()
  } finally {
    world.deliveryPlan = before
  }
}

export function webhookSecret(world: World): string {
  return world.state.endpoint.rotatedSecret ?? world.config.webhookSecret
}
