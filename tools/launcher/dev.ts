import { startCron } from '../services/cron.ts'
import { answers } from '../services/wait-until.ts'
import { freshLog, startBackServices, startGoogle } from './back-services.ts'
import { writeDevVars } from './dev-vars.ts'
import { runStack } from './run-stack.ts'
import { packageBinary, quietTools } from './run-tool.ts'
import { workerVars } from './settings.ts'

/** `npm run dev`: the same stack with hot reload. */
export async function dev(): Promise<void> {
  await runStack(async (stack) => {
    const { settings, devVars, add } = stack
    const google = await startGoogle(stack)
    writeDevVars(devVars, { ...workerVars(settings), ...google })
    await startBackServices(stack)
    const origin = `http://127.0.0.1:${settings.port}`
    const address = ['--host', '127.0.0.1', '--port', String(settings.port)]
    await add({
      name: 'The site',
      command: process.execPath,
      // Its own lock would refuse a second copy on another port.
      args: [packageBinary('astro'), 'dev', ...address, '--ignore-lock'],
      env: { ...process.env, ...quietTools },
      logFile: freshLog(settings.dataDir, 'site'),
      ownsTerminal: true,
      isReady: () => answers(origin),
      readyTimeoutMs: 60_000,
    })
    startCron(origin, console.error)
  })
}
