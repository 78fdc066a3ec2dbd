import { join } from 'node:path'
import { addressBlock } from './block.ts'
import { command } from './command.ts'
import { notReadyLine } from './readiness.ts'
import { say } from './say.ts'
import { readSecrets, type Secrets } from './secrets.ts'
import { readSettings, type Settings } from './settings.ts'
import { openStack, type Stack } from './stack.ts'
import { stopWithUs } from './until-stopped.ts'

export interface Running {
  stack: Stack
  settings: Settings
  secrets: Secrets
  secretsFile: string
}

/** Starts what `startAll` adds, prints the addresses when all answer, and ends all of it when one part cannot start. */
export async function runStack(startAll: (running: Running) => Promise<void>): Promise<void> {
  await command(async () => {
    const settings = readSettings(process.env)
    const secretsFile = join(settings.root, '.dev.vars')
    const secrets = readSecrets(secretsFile, say)
    const stack = await openStack(settings, `http://localhost:${settings.port}`, say)
    const stopped = stopWithUs(stack)
    try {
      await startAll({ stack, settings, secrets, secretsFile })
      const fault = stopped() ? null : await notReadyLine(`http://localhost:${settings.port}`)
      if (!stopped()) say(addressBlock(settings))
      if (fault !== null) say(fault)
    } catch (error) {
      await stack.stop()
      if (!stopped()) throw error
    }
  })
}
