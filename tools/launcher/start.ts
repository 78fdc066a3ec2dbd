import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { workerSpec } from '../services/worker.ts'
import { freshLog, startBackServices } from './back-services.ts'
import { ensureBuilt } from './build.ts'
import { runStack } from './run-stack.ts'
import { root, type Settings } from './settings.ts'

/** `npm start`: the site as production builds it, and all services behind it. */
export async function start(): Promise<void> {
  await runStack(async (stack) => {
    const { settings, add } = stack
    const [vars] = await Promise.all([startBackServices(stack), ensureBuilt()])
    const folder = copyBuild(settings)
    const logFile = freshLog(settings.dataDir, 'site')
    await add(
      workerSpec({
        folder,
        port: settings.port,
        vars,
        hasClock: true,
        logFile,
        echoesErrors: true,
      }),
    )
  })
}

/** The site serves a copy, so that a build or a test run does not change pages while they are served. */
function copyBuild({ dataDir }: Settings): string {
  const folder = join(dataDir, 'served')
  rmSync(folder, { recursive: true, force: true })
  cpSync(join(root, 'dist'), folder, { recursive: true })
  return folder
}
