import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LaunchError } from '../../tools/launcher/bootstrap/launch-error.mjs'
import { root, workerVars } from '../../tools/launcher/settings.ts'
import { EVERY_MINUTE, fireCron } from '../../tools/services/cron.ts'
import { razorpayEmulatorSpec } from '../../tools/services/emulators.ts'
import { applyMigrations } from '../../tools/services/migrate.ts'
import { freePort } from '../../tools/services/ports.ts'
import {
  endService,
  killService,
  startService,
  type ServiceSpec,
} from '../../tools/services/service.ts'
import { sqldSpec } from '../../tools/services/sqld.ts'
import { workerSpec } from '../../tools/services/worker.ts'
import { scratchFolder } from './scratch-folder.ts'

/** The secrets of every Worker and emulator that tests start. They open nothing else. */
export const testSecrets = {
  JWT_SECRETS: 'k1:tests-only-0123456789-abcdefghijklmnopqrstuvwxyz-0123456789abc',
  TRIAL_SECRET: 'tests-only-trials-abcdefghijklmnopqrstuvwxyz',
  RAZORPAY_KEY_ID: 'rzp_test_EMUkey00000001',
  RAZORPAY_KEY_SECRET: 'emu_key_secret_0001',
  RAZORPAY_WEBHOOK_SECRETS: 'emu_webhook_secret_0001',
}

/** A program a test started, with its files in a folder of its own. */
export interface Service {
  port: number
  folder: string
  /** Stops it and deletes its files. */
  stop: () => Promise<void>
  /** Ends it and all that it started with SIGKILL, like a crash or a power cut. */
  kill: () => Promise<void>
  /** Stops it in the middle of its work, like a machine that stalls: it accepts connections and answers nobody. */
  freeze: () => void
  /** Lets it go on after freeze(). */
  thaw: () => void
  /** Starts it again on the same port with the same files, after stop() or kill(). */
  restart: () => Promise<void>
  /** Everything it has printed so far, by line. */
  log: () => string[]
}

type SpecOf = (port: number, folder: string) => ServiceSpec

/**
 * Starts a program and waits until it answers. It dies with the test process, however that ends. Tries another port
 * when another program took the first one meanwhile.
 */
export async function runService(name: string, specOf: SpecOf): Promise<Service> {
  return onFreePort((port) => runOn(port, name, specOf))
}

async function runOn(port: number, name: string, specOf: SpecOf): Promise<Service> {
  const { path: folder, remove } = scratchFolder(name)
  const spec = specOf(port, folder)
  let child = await startService(spec)
  return {
    port,
    folder,
    stop: async () => {
      await endService(child)
      remove()
    },
    kill: () => killService(child),
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    restart: async () => {
      await endService(child)
      child = await startService(spec)
    },
    log: () => readFileSync(spec.logFile, 'utf8').split('\n').filter(Boolean),
  }
}

async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(await freePort())
    } catch (error) {
      if (!(error instanceof LaunchError) || attempt === 3) throw error
    }
  }
}

export interface Sqld extends Service {
  url: string
}

/** Starts a separate libSQL server, migrated and empty. */
export async function startSqld({ isMigrated = true } = {}): Promise<Sqld> {
  const service = await runService('sqld', (port, folder) =>
    sqldSpec({ folder: join(folder, 'data'), port, logFile: join(folder, 'sqld.log') }),
  )
  const url = `http://127.0.0.1:${service.port}`
  if (isMigrated) await applyMigrations({ url })
  return { ...service, url }
}

export interface Emulator extends Service {
  url: string
}

/** Starts a separate Razorpay emulator. Its state survives kill() and restart(), but not stop(). */
export async function startEmulator({ webhookUrl }: { webhookUrl: string }): Promise<Emulator> {
  const service = await runService('emulator', (port, folder) =>
    razorpayEmulatorSpec({
      secrets: testSecrets,
      port,
      webhookUrl,
      stateFile: join(folder, 'state.json'),
      logFile: join(folder, 'emulator.log'),
    }),
  )
  return { ...service, url: `http://localhost:${service.port}` }
}

export interface Worker extends Service {
  url: string
  /** Runs scheduled() now. */
  runCron: (cron?: string, at?: Date) => Promise<void>
}

interface WorkerSetup {
  databaseUrl: string
  emulatorUrl: string
  /** Added to the variables of `npm start`; overrides those of the same name. */
  vars?: Record<string, string>
  /** Set it when the port must be known beforehand; any free port when left out. */
  port?: number
  /** The folder with client/ and server/ of another build than this tree's. */
  dist?: string
}

/** Starts the built site and Worker in workerd. Its jobs run by runCron() alone. */
export function startWorker(setup: WorkerSetup): Promise<Worker> {
  return setup.port ? startOn(setup.port, setup) : onFreePort((port) => startOn(port, setup))
}

async function startOn(
  port: number,
  { databaseUrl, emulatorUrl, vars, dist = join(root, 'dist') }: WorkerSetup,
): Promise<Worker> {
  const dbPort = Number(new URL(databaseUrl).port)
  const razorpayPort = Number(new URL(emulatorUrl).port)
  const service = await runOn(port, 'worker', (_, folder) =>
    workerSpec({
      folder: dist,
      port,
      hasClock: false,
      vars: {
        ...testSecrets,
        ...workerVars({ port, dbPort, razorpayPort }, testSecrets.RAZORPAY_KEY_ID),
        ...vars,
      },
      logFile: join(folder, 'worker.log'),
    }),
  )
  const url = `http://localhost:${port}`
  return {
    ...service,
    url,
    runCron: (cron = EVERY_MINUTE, at = new Date()) => fireCron(url, cron, at),
  }
}

/** Everything `npm start` runs, on free ports and with an empty database. */
export interface Site {
  worker: Worker
  sqld: Sqld
  emulator: Emulator
  stop: () => Promise<void>
}

/** Starts a separate site, for a test that needs other variables or kills a part of it. */
export function startSite(options: Pick<WorkerSetup, 'vars' | 'dist'> = {}): Promise<Site> {
  return onFreePort(async (port) => {
    const webhookUrl = `http://127.0.0.1:${port}/api/webhooks/razorpay`
    const [sqld, emulator] = await Promise.all([startSqld(), startEmulator({ webhookUrl })])
    const stopOthers = () => Promise.all([emulator.stop(), sqld.stop()])
    const setup = { ...options, databaseUrl: sqld.url, emulatorUrl: emulator.url, port }
    const worker = await startWorker(setup).catch(async (error: unknown) => {
      await stopOthers()
      throw error
    })
    return {
      worker,
      sqld,
      emulator,
      stop: async () => {
        await worker.stop()
        await stopOthers()
      },
    }
  })
}
