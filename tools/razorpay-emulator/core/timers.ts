import type { Job, Timer } from './state.ts'
import type { World } from './world.ts'

export interface Timers {
  /** Waits for the timer that is due next. */
  arm(): void
  /** Moves the virtual clock ahead and runs, in order, the timers that fall due. */
  advanceTo(ms: number): Promise<void>
  stop(): void
}

/**
 * Runs the state's timers. A timer stays in the state until its job is done, so a job runs again if the process was
 * killed: at least once, like Razorpay's webhooks.
 */
export function createTimers(
  world: World,
  runJob: (world: World, job: Job) => Promise<void>,
  save: () => void,
): Timers {
  const running = new Map<number, Promise<void>>()
  let cancelWake: () => void = () => undefined
  let stopped = false

  function earliest(): Timer | undefined {
    const waiting = world.state.timers.filter((timer) => !running.has(timer.id))
    return waiting.sort((a, b) => a.at - b.at || a.id - b.id)[0]
  }

  async function run({ id, job }: Timer): Promise<void> {
    try {
      await runJob(world, job)
    } catch (cause) {
      world.config.log(`Job ${job.kind} failed: ${String(cause)}`)
    }
    running.delete(id)
    world.state.timers = world.state.timers.filter((other) => other.id !== id)
    save()
    arm()
  }

  function start(timer: Timer): Promise<void> {
    const done = run(timer)
    running.set(timer.id, done)
    return done
  }

  function startDue(): void {
    for (let next = earliest(); next && next.at <= world.clock.now(); next = earliest()) {
      void start(next)
    }
    arm()
  }

  function arm(): void {
    cancelWake()
    const next = earliest()
    if (next && !stopped) cancelWake = world.clock.wake(next.at, startDue)
  }

  async function advanceTo(ms: number): Promise<void> {
    for (let next = earliest(); next && next.at <= ms; next = earliest()) {
      world.clock.moveTo(next.at)
      await start(next)
    }
    world.clock.moveTo(ms)
    await Promise.all(running.values())
    arm()
  }

  return {
    arm,
    advanceTo,
    stop() {
      stopped = true
      cancelWake()
    },
  }
}
