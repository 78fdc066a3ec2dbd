import { accessSync, constants, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { quietTools } from '../launcher/run-tool.ts'
import type { ServiceSpec } from './service.ts'
import { answers } from './wait-until.ts'

/** `folder` holds client/ and server/. With an `inspectorPort`, debuggers of V8 may look into the Worker there. */
export interface HostedWorker {
  folder: string
  port: number
  vars: Record<string, string>
  inspectorPort?: number
}

/** The built site and Worker in workerd, as a program of its own. */
export function workerSpec({
  logFile,
  echoesErrors = false,
  ...worker
}: HostedWorker & {
  logFile: string
  echoesErrors?: boolean
}): ServiceSpec {
  const { port } = worker
  return {
    name: 'The site',
    command: process.execPath,
    args: [join(import.meta.dirname, 'worker-host.ts')],
    // In the environment, which only its owner can read, and not in the arguments: it contains secrets.
    env: { ...process.env, ...quietTools, ...inMemory(), WORKER_HOST: JSON.stringify(worker) },
    logFile,
    echoesErrors,
    isReady: () => answers(`http://127.0.0.1:${port}/`),
    readyTimeoutMs: 60_000,
  }
}

const MEMORY_FOLDER = '/dev/shm'
const MEMORY_NEEDED = 64 * 1024 ** 2

/**
 * Puts Miniflare's temporary files into memory, where Linux has room for them. It keeps the counters of the rate limits in a
 * file, and workerd's only thread waits for the disk with each call that counts. In production these counters are memory.
 */
function inMemory(): { TMPDIR?: string } {
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
    return bavail * bsize < MEMORY_NEEDED ? {} : { TMPDIR: MEMORY_FOLDER }
  } catch {
    return {}
  }
}
