import type { Timer } from './state/state.ts'
import type { World } from './world.ts'

export interface Timers {
  /** Waits for the next timer that is due (again). */
  arm(): void
  /** Moves the virtual clock on and runs what falls due on the way, in order. */
  advanceTo(ms: number): Promise<void>
  /** Runs what is due now and waits for it. */
  runDue(): Promise<void>
  /** Resolves once no job is running any more. */
  settled(): Promise<void>
  stop(): void
}

/**
 * Runs the state's timers. A timer leaves the state only after its job is done, so a process that is killed
 * in between runs it again: at least once, as the webhooks it stands for.
 */
export function createTimers(
  world: World,
  runJob: (timer: Timer) => Promise<void>,
  save: () => Promise<void>,
): Timers {
  const running = new Map<number, Promise<void>>()
  let cancelWake: () => void = () => undefined
  let stopped = false

  function earliest(): Timer | undefined {
    const waiting = world.state.timers.filter((timer) => !running.has(timer.id))
    return waiting.sort((a, b) => a.at - b.at || a.id - b.id)[0]
  }

  function fire(timer: Timer): Promise<void> {
    const done = runJob(timer)
      .catch((cause: unknown) => {
        world.config.log(`Job ${timer.job.kind} failed: ${String(cause)}`)
      })
      .then(() => {
        running.delete(timer.id)
        world.state.timers = world.state.timers.filter((other) => other.id !== timer.id)
        return save()
      })
      .finally(() => {
        arm()
      })
    running.set(timer.id, done)
    return done
  }

  async function runDue(): Promise<void> {
    const fired: Promise<void>[] = []
    for (let next = earliest(); next && next.at <= world.clock.now(); next = earliest()) {
      fired.push(fire(next))
    }
    arm()
    await Promise.all(fired)
  }

  function arm(): void {
    cancelWake()
    const next = earliest()
    if (next && !stopped) cancelWake = world.clock.wake(next.at, () => void runDue())
  }

  async function settled(): Promise<void> {
    while (running.size > 0) await Promise.all(running.values())
  }

  async function advanceTo(ms: number): Promise<void> {
    for (let next = earliest(); next && next.at <= ms; next = earliest()) {
      world.clock.moveTo(next.at)
      await fire(next)
    }
    world.clock.moveTo(ms)
    await settled()
    arm()
  }

  return {
    arm,
    advanceTo,
    runDue,
    settled,
    stop() {
      stopped = true
      cancelWake()
    },
  }
}
