import { join } from 'node:path'
import { quietTools } from '../launcher/run-tool.ts'
import type { ServiceSpec } from './service.ts'
import { answers } from './wait-until.ts'

/** The built site and Worker in workerd, as a program of its own. `folder` holds client/ and server/. */
export function workerSpec({
  folder,
  port,
  vars,
  logFile,
  echoesErrors = false,
}: {
  folder: string
  port: number
  vars: Record<string, string>
  logFile: string
  echoesErrors?: boolean
}): ServiceSpec {
  return {
    name: 'The site',
    command: process.execPath,
    args: [join(import.meta.dirname, 'worker-host.ts')],
    // In the environment, which only its owner can read, and not in the arguments: it contains secrets.
    env: { ...process.env, ...quietTools, WORKER_HOST: JSON.stringify({ folder, port, vars }) },
    logFile,
    echoesErrors,
    isReady: () => answers(`http://127.0.0.1:${port}/`),
    readyTimeoutMs: 60_000,
  }
}
