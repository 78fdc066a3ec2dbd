import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { hashPassword } from '../../edge-api/domain/crypto/hash-password.ts'
import type { Context } from '../../edge-api/domain/context.ts'
import { PendingAlerts, storeAlerts } from '../../edge-api/domain/alert/store-alerts.ts'
import { days } from '../../edge-api/domain/time.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { databaseOfRunningCopy } from '../launcher/data-folder.ts'
import { readSecrets, type Secrets } from '../launcher/dev-vars.ts'
import { readSettings, root } from '../launcher/settings.ts'
import { fillMonth } from './demo-month.ts'
import { pastProvider } from './demo-provider.ts'
import { DEMO_USERS } from './demo-shop.ts'
import { useForYear, YEAR_DAYS, YEAR_EMAIL } from './demo-year.ts'
import { SILENT_MS, troubles } from './demo-trouble.ts'
import { withLocalDatabase } from './local-database.ts'
import { controlEmulator, withLocalEmulator } from './local-emulator.ts'
import { contextWith } from './target.ts'

const CUSTOMERS = 100
const PASSWORD = 'Quiet-Otter-42'

const USAGE = 'npm run demo [-- --trouble]'

/**
 * `npm run demo`: fills the local database with a month of a shop, once, and prints where to look. With
 * `--trouble` the month ends badly, to practise the troubles of the runbook. Throws a LaunchError.
 */
export async function demo(words: string[]): Promise<void> {
  const hasTrouble = words[0] === '--trouble'
  if (words.length > (hasTrouble ? 1 : 0)) throw new LaunchError(USAGE)
  const settings = readSettings(process.env)
  const secrets = readSecrets(join(root, '.dev.vars'))
  const isRunning = databaseOfRunningCopy(settings.dataDir) !== null
  if (hasTrouble && !isRunning) {
    throw new LaunchError(
      'The trouble is with a site that runs: npm start first, in another terminal.',
    )
  }
  await withLocalDatabase(settings.dataDir, async (databaseUrl) => {
    const ctx = contextWith({ environment: null }, { DATABASE_URL: databaseUrl })
    // Written at the end: a demo that was interrupted is made again.
    const mark = join(settings.dataDir, 'demo-is-whole')
    const isNew = !existsSync(mark)
    if (isNew) {
      await freeAddresses(ctx)
      console.log(`Making a month of ${CUSTOMERS} customers, which takes some seconds …`)
      await withLocalEmulator({ settings, secrets, isRunning }, (url) =>
        fill({ ctx, secrets, url, hasTrouble }),
      )
      writeFileSync(mark, '')
    } else if (hasTrouble) {
      throw new LaunchError(`${DONE_BEFORE} Delete the data folder to make it anew.`)
    }
    console.log(`${isNew ? said(hasTrouble) : DONE_BEFORE}

  Admin pages  http://localhost:${settings.port}/admin
  Sign in at   http://localhost:${settings.port}/__local/access with any address

  A customer with a year behind them signs in as ${YEAR_EMAIL} with the password ${PASSWORD}.`)
  })
}

const DONE_BEFORE = 'The database has its demo already.'

const said = (hasTrouble: boolean) =>
  hasTrouble
    ? 'It ended badly: read the alerts and tickets at /admin.'
    : 'Done. Open: a dispute, a payment of another amount, 4 tickets, 3 applications.'

interface Filling {
  ctx: Context
  secrets: Secrets
  /** The emulator's address. */
  url: string
  hasTrouble: boolean
}

async function fill({ ctx, secrets, url, hasTrouble }: Filling): Promise<void> {
  const provider = pastProvider(secrets, url, ctx.now - days(YEAR_DAYS + 1))
  const passwordHash = await hashPassword(PASSWORD, ctx.randomBytes)
  if (!hasTrouble) {
    const shop = { ctx: { ...ctx, log: silent }, provider, silentFrom: Infinity }
    await fillMonth(shop, { customers: CUSTOMERS, more: [useForYear(shop, passwordHash)] })
    return
  }
  const pending = new PendingAlerts()
  const alert: Context['log']['alert'] = (kind, fields = {}) => {
    pending.add({ kind, fields, at: provider.now() })
  }
  const silentFrom = ctx.now - SILENT_MS
  const shop = { ctx: { ...ctx, log: { ...silent, alert } }, provider, silentFrom }
  await fillMonth(shop, { customers: CUSTOMERS, more: troubles(shop) })
  await controlEmulator(url, '/import', { failingSince: silentFrom })
  await storeAlerts(ctx, pending)
}

/** The month has a dispute and a wrong amount, for which the domain would raise alerts. */
const silent: Context['log'] = {
  info: () => undefined,
  warn: () => undefined,
  alert: () => undefined,
  error: () => undefined,
}

/** Gives the customers of an interrupted demo other addresses and names. */
async function freeAddresses({ db }: Context): Promise<void> {
  const other = sql`lower(id) || '@interrupted.example'`
  await db.batch([
    db.run(sql`UPDATE users SET email = ${other}, email_key = ${other}, username = id, username_key = lower(id)
      WHERE id IN (${DEMO_USERS})`),
  ])
}
