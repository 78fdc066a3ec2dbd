import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { workerSpec } from '../services/worker.ts'
import { freshLog, startBackServices } from './back-services.ts'
import { addressBlock } from './block.ts'
import { command } from './command.ts'
import { ensureBuilt } from './ensure-built.ts'
import { readSecrets } from './secrets.ts'
import { readSettings, type Settings } from './settings.ts'
import { openStack } from './stack.ts'
import { stopWithUs } from './until-stopped.ts'
import { workerVars } from './worker-vars.ts'

const say = (line: string) => {
  console.log(line)
}

await command(async () => {
  const settings = readSettings(process.env)
  const secrets = readSecrets(join(settings.root, '.dev.vars'))
  const stack = await openStack(settings, `http://localhost:${settings.port}`, say)
  stopWithUs(stack)
  try {
    await Promise.all([
      startBackServices(stack, settings, secrets),
      ensureBuilt(settings.root, say),
    ])
    const folder = takeCopy(settings)
    const vars = { ...secrets, ...workerVars(settings) }
    const logFile = freshLog(settings.dataDir, 'site')
    await stack.add(workerSpec({ folder, port: settings.port, vars, logFile, echoesErrors: true }))
    say(addressBlock(settings))
  } catch (error) {
    await stack.stop()
    throw error
  }
})

/** Serves from a copy, so that a build or a test run meanwhile does not change pages under a running site. */
function takeCopy({ root, dataDir }: Settings): string {
  const folder = join(dataDir, 'served')
  rmSync(folder, { recursive: true, force: true })
  for (const part of ['client', 'server']) {
    const from = join(root, 'dist', part)
    if (existsSync(from)) cpSync(from, join(folder, part), { recursive: true })
  }
  return folder
}
