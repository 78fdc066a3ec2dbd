import { existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { experimental_readRawConfig } from 'wrangler'
import { startCron } from '../services/cron.ts'
import { freshLog, startBackServices } from './back-services.ts'
import { runStack } from './run-stack.ts'
import { packageBinary, quietTools } from './run-tool.ts'
import { root, type Settings } from './settings.ts'

/** `npm run dev`: the same stack with hot reload. */
export async function dev(): Promise<void> {
  await runStack(async (stack) => {
    const { settings, add } = stack
    const DEV_CONFIG = writeConfig(settings, await startBackServices(stack))
    const origin = `http://127.0.0.1:${settings.port}`
    const address = ['--host', '127.0.0.1', '--port', String(settings.port)]
    await add({
      name: 'The site',
      command: process.execPath,
      // Astro's own lock would refuse a second copy on another port.
      args: [packageBinary('astro'), 'dev', ...address, '--ignore-lock'],
      // The shell may have set NODE_ENV for other work, and Astro reloads nothing hot in production or in tests.
      env: { ...process.env, ...quietTools, DEV_CONFIG, NODE_ENV: 'development' },
      logFile: freshLog(settings.dataDir, 'site'),
      ownsTerminal: true,
      isReady: () => showsContent(origin),
      // The first start bundles packages, which takes a slow machine a minute.
      readyTimeoutMs: 120_000,
    })
    startCron(origin, console.error)
  })
}

/**
 * Writes wrangler.toml with the Worker's variables, because the dev server reads them from nowhere else, and returns the
 * file. It is in the data folder: each copy has its own.
 */
function writeConfig({ dataDir }: Settings, vars: Record<string, string>): string {
  const { rawConfig } = experimental_readRawConfig({ config: join(root, 'wrangler.toml') })
  const main = join(root, rawConfig.main ?? '')
  const file = join(dataDir, 'dev.json')
  rmSync(file, { force: true })
  writeFileSync(file, JSON.stringify({ ...rawConfig, main, vars }), { mode: 0o600 })
  return file
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
