import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { googleEmulatorSpec, googleVars, razorpayEmulatorSpec } from '../services/emulators.ts'
import { applyMigrations } from '../services/migrate.ts'
import { freePort } from '../services/ports.ts'
import { sqldSpec } from '../services/sqld.ts'
import type { Supervised } from '../services/supervise.ts'
import { readGoogleClient } from './dev-vars.ts'
import { requireFreePort, type Stack } from './run-stack.ts'
import { isRazorpayTestKey, readPort } from './settings.ts'

/**
 * Starts the services behind the site, side by side: the database, migrated, and the Razorpay emulator unless .dev.vars
 * has keys of Razorpay's own.
 */
export async function startBackServices(stack: Stack): Promise<void> {
  await Promise.all([startDatabase(stack), startRazorpay(stack)])
}

/** As `startBackServices`, with a replica of the database. Returns the Worker's variables for it. */
export async function startWithReplica(stack: Stack): Promise<Record<string, string>> {
  const { root, dataDir } = stack.settings
  const port = readPort(process.env, 'REPLICA_PORT', 8789)
  await requireFreePort('REPLICA_PORT', port)
  const replicationPort = await freePort()
  const [primary] = await Promise.all([
    startDatabase(stack, { serves: replicationPort }),
    startRazorpay(stack),
  ])
  // A copy of an older database of the same folder would have to be reset.
  const folder = join(dataDir, 'replica')
  rmSync(folder, { recursive: true, force: true })
  const logFile = freshLog(dataDir, 'replica')
  const replication = { follows: replicationPort }
  await stack.add(sqldSpec({ root, folder, port, logFile, replication }))
  const pid = String(primary.pid())
  console.log(
    `Reads that may lag go to the replica at http://127.0.0.1:${port}. Take the primary away with \`kill -STOP ${pid}\`, and bring it back with \`kill -CONT ${pid}\`.`,
  )
  return { DATABASE_REPLICA_URL: `http://127.0.0.1:${port}` }
}

async function startDatabase(
  { settings, add }: Stack,
  replication?: { serves: number },
): Promise<Supervised> {
  const { root, dataDir, dbPort } = settings
  const logFile = freshLog(dataDir, 'database')
  const folder = join(dataDir, 'database')
  const database = await add(
    sqldSpec({ root, folder, port: dbPort, logFile, ...(replication && { replication }) }),
  )
  await applyMigrations({ url: `http://127.0.0.1:${dbPort}` })
  return database
}

async function startRazorpay({ settings, secrets, add }: Stack): Promise<void> {
  const { root, dataDir, port, razorpayPort } = settings
  if (isRazorpayTestKey(secrets.RAZORPAY_KEY_ID)) return
  const [webhookSecret = ''] = secrets.RAZORPAY_WEBHOOK_SECRETS.split(',')
  await add(
    razorpayEmulatorSpec({
      root,
      port: razorpayPort,
      webhookUrl: `http://127.0.0.1:${port}/api/webhooks/razorpay`,
      stateFile: join(dataDir, 'razorpay.json'),
      keyId: secrets.RAZORPAY_KEY_ID,
      keySecret: secrets.RAZORPAY_KEY_SECRET,
      webhookSecret,
      logFile: freshLog(dataDir, 'razorpay'),
    }),
  )
}

/**
 * Sign-in with Google on this machine, where GOOGLE_CLIENT_ID is set (in .dev.vars, or for one start in the
 * environment): `emulator` starts the emulator, anything else is a client of Google itself. Returns the Worker's
 * variables for it.
 */
export async function startGoogle({
  settings,
  devVars,
  add,
}: Stack): Promise<Record<string, string>> {
  const { id, secret } = readGoogleClient(devVars, process.env)
  if (id === '') return {}
  if (id !== 'emulator') return { GOOGLE_CLIENT_ID: id, GOOGLE_CLIENT_SECRET: secret }
  const { root, dataDir } = settings
  const port = readPort(process.env, 'GOOGLE_PORT', 8791)
  await requireFreePort('GOOGLE_PORT', port)
  await add(googleEmulatorSpec({ root, port, logFile: freshLog(dataDir, 'google') }))
  console.log(`Sign-in with Google goes to the emulator at http://127.0.0.1:${port}.`)
  return googleVars(port)
}

/** A log file for each start, because the output of an earlier run helps nobody. */
export function freshLog(dataDir: string, name: string): string {
  const file = join(dataDir, 'log', `${name}.log`)
  rmSync(file, { force: true })
  return file
}
