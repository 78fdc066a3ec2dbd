import { rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  googleEmulatorSpec,
  googleVars,
  razorpayEmulatorSpec,
  razorpayKeys,
} from '../services/emulators.ts'
import { applyMigrations } from '../services/migrate.ts'
import { sqldSpec } from '../services/sqld.ts'
import { readAddresses, readGoogleClient } from './dev-vars.ts'
import { requireFreePort, type Stack } from './run-stack.ts'
import { isRazorpayTestKey, readPort, workerVars } from './settings.ts'

/**
 * Starts the services behind the site, side by side: the database, migrated, the Razorpay emulator unless .dev.vars has
 * keys of Razorpay's own, and where it is asked for that of Google. Returns the Worker's variables.
 */
export async function startBackServices(stack: Stack): Promise<Record<string, string>> {
  const { settings, secrets, devVars } = stack
  const services = [startGoogle(stack), startDatabase(stack), startRazorpay(stack)] as const
  const [google] = await Promise.all(services)
  const vars = workerVars(settings, secrets.RAZORPAY_KEY_ID)
  return { ...secrets, ...vars, ...readAddresses(devVars, process.env), ...google }
}

async function startDatabase({ settings, add }: Stack): Promise<void> {
  const { dataDir, dbPort } = settings
  const logFile = freshLog(dataDir, 'database')
  const folder = join(dataDir, 'database')
  await add(sqldSpec({ folder, port: dbPort, logFile }))
  await applyMigrations({ url: `http://127.0.0.1:${dbPort}` })
}

async function startRazorpay({ settings, secrets, add }: Stack): Promise<void> {
  const { dataDir, port, razorpayPort } = settings
  if (isRazorpayTestKey(secrets.RAZORPAY_KEY_ID)) return
  await add(
    razorpayEmulatorSpec({
      ...razorpayKeys(secrets),
      port: razorpayPort,
      webhookUrl: `http://127.0.0.1:${port}/api/webhooks/razorpay`,
      stateFile: join(dataDir, 'razorpay.json'),
      logFile: freshLog(dataDir, 'razorpay'),
    }),
  )
}

/**
 * Sign-in with Google on this machine, where GOOGLE_CLIENT_ID is set (in .dev.vars, or for one start in the
 * environment): `emulator` starts the emulator, anything else is a client of Google itself. Returns the Worker's
 * variables for it.
 */
async function startGoogle({ settings, devVars, add }: Stack): Promise<Record<string, string>> {
  const { id, secret } = readGoogleClient(devVars, process.env)
  if (id === '') return {}
  if (id !== 'emulator') return { GOOGLE_CLIENT_ID: id, GOOGLE_CLIENT_SECRET: secret }
  const port = readPort(process.env, 'GOOGLE_PORT', 8791)
  await requireFreePort('GOOGLE_PORT', port)
  await add(googleEmulatorSpec({ port, logFile: freshLog(settings.dataDir, 'google') }))
  console.log(`Sign-in with Google goes to the emulator at http://127.0.0.1:${port}.`)
  return googleVars(port)
}

/** A log file for each start, because the output of an earlier run helps nobody. */
export function freshLog(dataDir: string, name: string): string {
  const file = join(dataDir, 'log', `${name}.log`)
  rmSync(file, { force: true })
  return file
}
