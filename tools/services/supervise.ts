import { setTimeout as pause } from 'node:timers/promises'
import {
  ended,
  endService,
  howItEnded,
  killService,
  spawnService,
  startService,
  type ServiceSpec,
} from './service.ts'

export interface Supervised {
  /** The process id, which changes with a restart. */
  pid: () => number | undefined
  stop: () => Promise<void>
}

const FIRST_DELAY_MS = 100
const LONGEST_DELAY_MS = 5_000
const STEADY_AFTER_MS = 20_000

/**
 * Starts a service, waits until it answers, then restarts it whenever it dies and reports that to `say`. Throws a
 * LaunchError when it never answers.
 */
export async function supervise(
  spec: ServiceSpec,
  say: (line: string) => void,
): Promise<Supervised> {
  let child = await startService(spec)
  let isStopping = false

  async function keepAlive(): Promise<void> {
    let delayMs = FIRST_DELAY_MS
    while (!isStopping) {
      const startedAt = performance.now()
      await ended(child)
      await killService(child)
      if (isStopping) return
      if (performance.now() - startedAt > STEADY_AFTER_MS) delayMs = FIRST_DELAY_MS
      say(`${spec.name} ${howItEnded(child)}; starting it again.`)
      await pause(delayMs)
      delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS)
      if (!isStopping) child = spawnService(spec)
    }
  }

  const watching = keepAlive()
  return {
    pid: () => child.pid,
    stop: async () => {
      isStopping = true
      await endService(child)
      await watching
    },
  }
}
