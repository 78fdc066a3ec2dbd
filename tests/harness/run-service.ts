import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { LaunchError } from '../../tools/services/launch-error.ts'
import { freePorts } from '../../tools/services/ports.ts'
import { signalGroup } from '../../tools/services/process-list.ts'
import { startReaper, type Reaper } from '../../tools/services/reaper.ts'
import type { ServiceSpec } from '../../tools/services/service.ts'
import { ended, endGroup, startService } from '../../tools/services/start-service.ts'

/** A program a test started. */
export interface Service {
  stop: () => Promise<void>
  /** As a crash or a power cut would end it: SIGKILL, to it and all that it started. */
  kill: () => Promise<void>
  /** Starts it again on the same port with the same files, after stop() or kill(). */
  restart: () => Promise<void>
  /** All it printed so far, one string a line. */
  log: () => string[]
}

let reaper: Reaper | undefined

/** Starts a program and answers when it does. It dies with the test process, however that ends. */
export async function runService(spec: ServiceSpec): Promise<Service> {
  reaper ??= startReaper()
  const { watch, forget } = reaper
  const watchers = {
    onSpawn: (_name: string, group: number) => {
      watch(group)
    },
    onGone: forget,
    say: () => undefined,
  }
  let child: ChildProcess = await startService(spec, watchers)
  return {
    stop: () => endGroup(child),
    kill: async () => {
      if (child.pid) signalGroup(child.pid, 'SIGKILL')
      await ended(child)
    },
    restart: async () => {
      await endGroup(child)
      child = await startService(spec, watchers)
    },
    log: () => readFileSync(spec.logFile, 'utf8').split('\n').filter(Boolean),
  }
}

/** Tries again with other ports when somebody took one between looking and listening. */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const [port = 0] = await freePorts(1)
    try {
      return await start(port)
    } catch (error) {
      if (!(error instanceof LaunchError) || attempt === 3) throw error
    }
  }
}
