import { join } from 'node:path'
import { root, workerVars } from '../../tools/launcher/settings.ts'
import { fireCron } from '../../tools/services/cron.ts'
import { workerSpec } from '../../tools/services/worker.ts'
import { onFreePort, runService, type Service } from './run-service.ts'
import { scratchFolder } from './scratch-folder.ts'
import { testSecrets } from './secrets.ts'

export interface Worker extends Service {
  url: string
  /** Runs scheduled() now. */
  runCron: (cron?: string, at?: Date) => Promise<void>
}

export interface WorkerSetup {
  databaseUrl: string
  emulatorUrl: string
  /** On top of what `npm start` would hand over, instead of it where a name is the same. */
  vars?: Record<string, string>
  /** Fixed when somebody must know it beforehand, else any free one. */
  port?: number
}

/** The built site and Worker in workerd, with vars of one's own. Cron lines fire only by runCron() and each full minute. */
export function startWorker(setup: WorkerSetup): Promise<Worker> {
  return setup.port ? startOn(setup.port, setup) : onFreePort((port) => startOn(port, setup))
}

async function startOn(
  port: number,
  { databaseUrl, emulatorUrl, vars }: WorkerSetup,
): Promise<Worker> {
  const scratch = scratchFolder('worker')
  const url = `http://localhost:${port}`
  const service = await runService(
    workerSpec({
      folder: join(root, 'dist'),
      port,
      vars: { ...testSecrets, ...varsFor(port, databaseUrl, emulatorUrl), ...vars },
      logFile: join(scratch.path, 'worker.log'),
    }),
  )
  return {
    ...service,
    url,
    runCron: (cron = '* * * * *', at = new Date()) => fireCron(url, cron, at),
    stop: async () => {
      await service.stop()
      scratch.remove()
    },
  }
}

function varsFor(port: number, databaseUrl: string, emulatorUrl: string) {
  const dbPort = Number(new URL(databaseUrl).port)
  const razorpayPort = Number(new URL(emulatorUrl).port)
  return workerVars({ port, dbPort, razorpayPort })
}
