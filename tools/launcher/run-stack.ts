import { join } from 'node:path'
import { isPortFree } from '../services/ports.ts'
import type { ServiceSpec } from '../services/service.ts'
import { supervise, type Supervised } from '../services/supervise.ts'
import { waitUntil } from '../services/wait-until.ts'
import { LaunchError } from './bootstrap/launch-error.mjs'
import { lockDataFolder, prepareDataFolder } from './data-folder.ts'
import { readSecrets, type Secrets } from './dev-vars.ts'
import { isRazorpayTestKey, readSettings, root, type Settings } from './settings.ts'

/** The state of one running copy while its services start. */
export interface Stack {
  settings: Settings
  secrets: Secrets
  /** The path of .dev.vars. */
  devVars: string
  /** Starts a service and restarts it whenever it dies. */
  add: (spec: ServiceSpec) => Promise<Supervised>
}

/**
 * Starts what `startAll` adds and prints the addresses when all answer. Stops everything at the first signal. When one
 * part cannot start, stops everything and throws a LaunchError.
 */
export async function runStack(startAll: (stack: Stack) => Promise<void>): Promise<void> {
  const settings = readSettings(process.env)
  const devVars = join(root, '.dev.vars')
  const secrets = readSecrets(devVars, console.log)
  const address = `http://localhost:${settings.port}`
  prepareDataFolder(settings.dataDir)
  const databaseUrl = `http://127.0.0.1:${settings.dbPort}`
  const lock = lockDataFolder(settings.dataDir, { address, databaseUrl })
  await requireFreePorts(settings)

  const running: Supervised[] = []
  let stopping: Promise<void> | undefined
  const isStopping = () => stopping !== undefined
  // Ctrl-C in a terminal reaches us twice or more: directly, and passed on by npm.
  const stop = () => (stopping ??= stopAll(running).finally(() => lock.close()))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => void stop().finally(() => process.exit(0)))
  }
  async function add(spec: ServiceSpec): Promise<Supervised> {
    const service = await supervise(spec, console.log)
    if (isStopping()) await service.stop()
    else running.push(service)
    return service
  }

  try {
    await startAll({ settings, secrets, devVars, add })
    if (isStopping()) return
    const fault = await notReadyLine(address)
    console.log(addressBlock(settings, secrets.RAZORPAY_KEY_ID))
    if (fault !== null) console.log(fault)
  } catch (error) {
    if (isStopping()) return
    await stop()
    throw error
  }
}

/** Stops the last started first: the site must not run without its database. */
async function stopAll(running: Supervised[]): Promise<void> {
  for (const service of running.reverse()) await service.stop()
}

async function requireFreePorts({ port, dbPort, razorpayPort }: Settings): Promise<void> {
  await requireFreePort('PORT', port)
  await requireFreePort('DB_PORT', dbPort)
  await requireFreePort('RAZORPAY_PORT', razorpayPort)
}

/**
 * Throws a LaunchError that names the variable which moves a port that is taken. The kernel may need a moment to free the port
 * of a program that has just ended.
 */
export async function requireFreePort(
  variable: string,
  port: number,
  patienceMs = 1_500,
): Promise<void> {
  if (await waitUntil(() => isPortFree(port), { timeoutMs: patienceMs })) return
  throw new LaunchError(
    `Port ${port} is taken by another program. End that, or choose another: ${variable}=${port + 100} npm start`,
  )
}

/**
 * The missing parts by the site's own health, as one line; null when it is ready. Pages are served in any case, so
 * without this a broken .dev.vars would look like a good start.
 */
export async function notReadyLine(origin: string): Promise<string | null> {
  const response = await fetch(`${origin}/api/health`, { signal: AbortSignal.timeout(10_000) })
  const body: unknown = await response.json()
  if (response.ok) return null
  const said = typeof body === 'object' && body !== null && 'message' in body ? body.message : ''
  return `It answers, but is not ready (${String(said)}). The secrets are in .dev.vars: correct the one that is named here, or delete the file to get new ones.`
}

/** The addresses in one short block, printed once all services answer. It says which Razorpay the site talks to. */
export function addressBlock(
  { port, dbPort, razorpayPort, dataDir }: Settings,
  keyId: string,
): string {
  const razorpay = isRazorpayTestKey(keyId)
    ? [
        `  Razorpay           its own test mode, with the key ${keyId} of .dev.vars. No money moves. Webhooks`,
        '                     do not reach this machine: payments are found within minutes.',
      ]
    : [`  Razorpay emulator  http://localhost:${razorpayPort}/__emu/ui`]
  return [
    '',
    `  Site and API       http://localhost:${port}`,
    `  Mail that was sent http://localhost:${port}/__local/mail`,
    ...razorpay,
    `  Database (libSQL)  http://127.0.0.1:${dbPort}`,
    `  Data and logs      ${dataDir}`,
    '',
    '  Ctrl-C stops everything.',
    '',
  ].join('\n')
}
