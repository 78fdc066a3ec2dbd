import { setTimeout as pause } from 'node:timers/promises'
import { howItEnded, type ServiceSpec } from './service.ts'
import {
  clearGroup,
  ended,
  endGroup,
  launch,
  startService,
  type Watchers,
} from './start-service.ts'

export interface Supervised {
  name: string
  /** The process of this moment; another one after a restart. */
  pid: () => number | undefined
  stop: () => Promise<void>
}

const firstDelayMs = 100
const longestDelayMs = 5_000
const steadyAfterMs = 20_000

/** Starts a service, waits until it answers, then starts it again whenever it dies. Throws a LaunchError when it never answers. */
export async function supervise(spec: ServiceSpec, watchers: Watchers): Promise<Supervised> {
  let child = await startService(spec, watchers)
  let isStopping = false

  async function keepAlive(): Promise<void> {
    let delayMs = firstDelayMs
    while (!isStopping) {
      const startedAt = performance.now()
      await ended(child)
      clearGroup(child, watchers)
      if (isStopping) return
      if (performance.now() - startedAt > steadyAfterMs) delayMs = firstDelayMs
      watchers.say(`${spec.name} ${howItEnded(child)}; starting it again.`)
      await pause(delayMs)
      delayMs = Math.min(delayMs * 2, longestDelayMs)
      if (!isStopping) child = launch(spec, watchers)
    }
  }

  const watching = keepAlive()
  return {
    name: spec.name,
    pid: () => child.pid,
    stop: async () => {
      isStopping = true
      await endGroup(child)
      await watching
    },
  }
}
