import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { workerSpec } from '../services/worker.ts'
import { freshLog, startBackServices } from './back-services.ts'
import { ensureBuilt } from './ensure-built.ts'
import { startGoogle } from './google.ts'
import { runStack } from './run-stack.ts'
import { say } from './say.ts'
import type { Settings } from './settings.ts'
import { workerVars } from './worker-vars.ts'

await runStack(async ({ stack, settings, secrets, secretsFile }) => {
  const [google] = await Promise.all([
    startGoogle(stack, settings, secretsFile),
    startBackServices(stack, settings, secrets),
    ensureBuilt(settings.root, say),
  ])
  const folder = takeCopy(settings)
  const vars = { ...secrets, ...workerVars(settings), ...google }
  const logFile = freshLog(settings.dataDir, 'site')
  await stack.add(workerSpec({ folder, port: settings.port, vars, logFile, echoesErrors: true }))
})

/** Serves from a copy, so that a build or a test run meanwhile does not change pages under a running site. */
function takeCopy({ root, dataDir }: Settings): string {
  const folder = join(dataDir, 'served')
  rmSync(folder, { recursive: true, force: true })
  cpSync(join(root, 'dist'), folder, { recursive: true })
  return folder
}
