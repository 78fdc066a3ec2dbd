import { join } from 'node:path'
import { quietTools } from '../launcher/run-tool.ts'
import { memoryFolder } from './memory-folder.ts'
import type { ServiceSpec } from './service.ts'
import { answers } from './wait-until.ts'

export interface HostedWorker {
  /** Holds client/ and server/. */
  folder: string
  port: number
  /** Whether its jobs run at each full minute, as in production; otherwise `fireCron` runs them. */
  hasClock: boolean
  vars: Record<string, string>
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
    env: { ...process.env, ...quietTools, ...miniflareEnv(), WORKER_HOST: JSON.stringify(worker) },
    logFile,
    echoesErrors,
    isReady: () => answers(`http://127.0.0.1:${port}/`),
    readyTimeoutMs: 60_000,
  }
}

/** As much memory as an isolate has in production. Without this limit V8 collects garbage later, and for longer. */
const HEAP_MB = 128
const COUNTERS_MAX_BYTES = 64 * 1024 ** 2

function miniflareEnv(): NodeJS.ProcessEnv {
  // Miniflare keeps the counters of the rate limits in a file, and workerd's only thread waits for the disk with each call
  // that counts. In production these counters are in memory.
  const folder = memoryFolder(COUNTERS_MAX_BYTES)
  return {
    MINIFLARE_WORKERD_V8_FLAGS: `--max-heap-size=${HEAP_MB}`,
    ...(folder === null ? {} : { TMPDIR: folder }),
  }
}
