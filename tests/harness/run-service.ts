import { readFileSync } from 'node:fs'
import { LaunchError } from '../../tools/launcher/bootstrap/launch-error.mjs'
import { freePort } from '../../tools/services/ports.ts'
import {
  endService,
  killService,
  startService,
  type ServiceSpec,
} from '../../tools/services/service.ts'

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

/** Starts a program and answers when it does. It dies with the test process, however that ends. */
export async function runService(spec: ServiceSpec): Promise<Service> {
  let child = await startService(spec)
  return {
    stop: () => endService(child),
    kill: () => killService(child),
    restart: async () => {
      await endService(child)
      child = await startService(spec)
    },
    log: () => readFileSync(spec.logFile, 'utf8').split('\n').filter(Boolean),
  }
}

/** Tries again with another port when somebody took the first between looking and listening. */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(await freePort())
    } catch (error) {
      if (!(error instanceof LaunchError) || attempt === 3) throw error
    }
  }
}
