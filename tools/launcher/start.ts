import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { workerSpec } from '../services/worker.ts'
import { freshLog, startBackServices, startGoogle } from './back-services.ts'
import { ensureBuilt } from './build.ts'
import { readAddresses } from './dev-vars.ts'
import { runStack } from './run-stack.ts'
import { root, workerVars, type Settings } from './settings.ts'

/** `npm start`: the site as production builds it, and all services behind it. */
export async function start(): Promise<void> {
  await runStack(async (stack) => {
    const { settings, secrets, add } = stack
    const [google] = await Promise.all([
      startGoogle(stack),
      startBackServices(stack),
      ensureBuilt(),
    ])
    const folder = copyBuild(settings)
    const vars = {
      ...secrets,
      ...workerVars(settings, secrets.RAZORPAY_KEY_ID),
      ...readAddresses(stack.devVars, process.env),
      ...google,
    }
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
