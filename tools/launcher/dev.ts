import { existsSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { startCron } from '../services/cron.ts'
import { freshLog, startBackServices, startGoogle } from './back-services.ts'
import { writeDevVars } from './dev-vars.ts'
import { runStack } from './run-stack.ts'
import { packageBinary, quietTools } from './run-tool.ts'
import { root, workerVars } from './settings.ts'

/** `npm run dev`: the same stack with hot reload. */
export async function dev(): Promise<void> {
  await runStack(async (stack) => {
    const { settings, secrets, devVars, add } = stack
    const google = await startGoogle(stack)
    writeDevVars(devVars, { ...workerVars(settings, secrets.RAZORPAY_KEY_ID), ...google })
    await startBackServices(stack)
    const origin = `http://127.0.0.1:${settings.port}`
    const address = ['--host', '127.0.0.1', '--port', String(settings.port)]
    await add({
      name: 'The site',
      command: process.execPath,
      // Astro's own lock would refuse a second copy on another port.
      args: [packageBinary('astro'), 'dev', ...address, '--ignore-lock'],
      env: { ...process.env, ...quietTools },
      logFile: freshLog(settings.dataDir, 'site'),
      ownsTerminal: true,
      isReady: () => showsContent(origin),
      // The first start bundles packages, which takes a slow machine a minute.
      readyTimeoutMs: 120_000,
    })
    startCron(origin, console.error)
  })
}

const CONTENT_STORE = join(root, '.astro/data-store.json')

/**
 * True when the landing page answers with its films. On a first start Astro sometimes renders before it has read the
 * content, and stays without it until its content store changes.
 */
async function showsContent(origin: string): Promise<boolean> {
  try {
    const response = await fetch(origin, { signal: AbortSignal.timeout(20_000) })
    const html = await response.text()
    const isEmpty = html.includes('"carousel"') && !html.includes('"slide"')
    if (isEmpty && existsSync(CONTENT_STORE)) utimesSync(CONTENT_STORE, new Date(), new Date())
    return !isEmpty
  } catch {
    return false
  }
}
