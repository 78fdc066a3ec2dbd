import { join } from 'node:path'
import { rmSync } from 'node:fs'
import { emulatorSpec } from '../services/emulator.ts'
import { applyMigrations } from '../services/migrate.ts'
import { sqldSpec } from '../services/sqld.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'
import type { Stack } from './stack.ts'

/** Starts what stands behind the site, database (migrated) and emulator, side by side. */
export async function startBackServices(
  stack: Stack,
  settings: Settings,
  secrets: Secrets,
): Promise<void> {
  await Promise.all([startDatabase(stack, settings), startEmulator(stack, settings, secrets)])
}

async function startDatabase(stack: Stack, { root, dataDir, dbPort }: Settings): Promise<void> {
  const logFile = freshLog(dataDir, 'database')
  await stack.add(sqldSpec({ root, folder: join(dataDir, 'database'), port: dbPort, logFile }))
  const folder = join(root, 'edge-api/db/migrations')
  await applyMigrations({ url: `http://127.0.0.1:${dbPort}`, folder })
}

async function startEmulator(stack: Stack, settings: Settings, secrets: Secrets): Promise<void> {
  const { root, dataDir, port, razorpayPort } = settings
  const [webhookSecret = ''] = secrets.RAZORPAY_WEBHOOK_SECRETS.split(',')
  await stack.add(
    emulatorSpec({
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

/** A log file per start: what an earlier run said is of no use to anybody. */
export function freshLog(dataDir: string, name: string): string {
  const file = join(dataDir, 'log', `${name}.log`)
  rmSync(file, { force: true })
  return file
}
