import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { googleEmulatorSpec, googleVars, razorpayEmulatorSpec } from '../services/emulators.ts'
import { applyMigrations } from '../services/migrate.ts'
import { sqldSpec } from '../services/sqld.ts'
import { readOptional, writeAddresses } from './dev-vars.ts'
import { requireFreePort, type Stack } from './run-stack.ts'
import { isRazorpayTestKey, readPort, workerVars } from './settings.ts'

/**
 * Starts the services behind the site, side by side: the database, migrated, the Razorpay emulator unless .dev.vars has
 * keys of Razorpay's own, and where it is asked for that of Google. Returns the Worker's variables.
 */
export async function startBackServices(stack: Stack): Promise<Record<string, string>> {
  const { settings, secrets, devVars } = stack
  const optional = readOptional(devVars, process.env)
  const [google] = await Promise.all([
    optional['GOOGLE_CLIENT_ID'] === 'emulator' ? startGoogle(stack) : {},
    startDatabase(stack),
    startRazorpay(stack),
  ])
  const vars = workerVars(settings, secrets.RAZORPAY_KEY_ID)
  writeAddresses(devVars, vars)
  return { ...secrets, ...vars, ...optional, ...google }
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
      secrets,
      port: razorpayPort,
      webhookUrl: `http://127.0.0.1:${port}/api/webhooks/razorpay`,
      stateFile: join(dataDir, 'razorpay.json'),
      logFile: freshLog(dataDir, 'razorpay'),
    }),
  )
}

/** Any other GOOGLE_CLIENT_ID than `emulator` is a client of Google itself. Returns the Worker's variables. */
async function startGoogle({ settings, add }: Stack): Promise<Record<string, string>> {
  const port = readPort(process.env, 'GOOGLE_PORT', 8791)
  await requireFreePort('GOOGLE_PORT', port)
  await add(googleEmulatorSpec({ port, logFile: freshLog(settings.dataDir, 'google') }))
  console.log(
    `Sign-in with Google goes to the emulator at http://127.0.0.1:${port}, because GOOGLE_CLIENT_ID is "emulator" here or in .dev.vars.`,
  )
  return googleVars(port)
}

/** A log file for each start, because the output of an earlier run helps nobody. */
export function freshLog(dataDir: string, name: string): string {
  const file = join(dataDir, 'log', `${name}.log`)
  rmSync(file, { force: true })
  return file
}
