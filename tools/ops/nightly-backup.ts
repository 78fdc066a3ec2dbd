import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@libsql/client/http'
import { days, hours } from '../../edge-api/domain/time.ts'
import { alertWebhookOf } from '../../edge-api/gateways/post-to-webhook.ts'
import { brand } from '../../site/brand.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { backup, restore } from './backup.ts'
import { backupStore } from './backup-store.ts'
import { withNewDatabase } from './local-database.ts'
import { CHECK_COUNT, verifyLedger } from './verify-ledger.ts'

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Puts an encrypted backup into the store, restores the newest one from there into an empty database of this machine,
 * verifies it, and only then deletes old ones. Posts any failure to the operators' chat, and throws it.
 *
 * @returns what was done, for people
 */
export async function nightlyBackup(vars: Variables, now = new Date()): Promise<string[]> {
  const { ALARM_WEBHOOK_URL = '', BACKUP_HEARTBEAT_URL: HEARTBEAT_URL = '' } = vars
  const alertWebhook = alertWebhookOf({ ALARM_WEBHOOK_URL, HEARTBEAT_URL })
  const folder = await mkdtemp(join(tmpdir(), 'backup-'))
  // The database is there, readable, while it is verified.
  const end = () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    process.exit(1)
  }
  for (const signal of SIGNALS) process.once(signal, end)
  try {
    const done = await backUpAndRehearse(vars, now, folder)
    // Its monitor reports a call that it missed.
    await alertWebhook.heartbeat?.().catch(() => undefined)
    return done
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    // The command fails in any case; its own reason matters more than the chat's.
    await alertWebhook
      .post?.(
        `${brand.productName}: tonight's backup failed. ${reason}\ndocs/runbook.md, "A backup every night"`,
      )
      .catch(() => undefined)
    throw error
  } finally {
    for (const signal of SIGNALS) process.off(signal, end)
    await rm(folder, { recursive: true, force: true })
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

async function backUpAndRehearse(vars: Variables, now: Date, folder: string): Promise<string[]> {
  const key = vars['BACKUP_KEY']
  const store = backupStore(storeOf(vars))
  const database = { url: wanted(vars, 'DATABASE_URL'), authToken: vars['DATABASE_AUTH_TOKEN'] }
  const name = `${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z.sql.gz.age`
  const written = join(folder, name)
  const bytes = await backup(database, written, key)
  await store.put(name, written)
  await rm(written)

  const names = await store.names()
  const newest = names.filter(isBackup).sort().at(-1) ?? 'nothing'
  if (newest !== name) throw new LaunchError(`The store's newest backup is ${newest}, not ${name}.`)
  await store.get(name, written)
  const report = { statements: 0, broken: ['The database was not read.'], isLive: false }
  await withNewDatabase(folder, async (url) => {
    report.statements = await restore({ url }, written, key)
    report.broken = await verifyLedger({ url })
    report.isLive = await hasNewMail(url, now)
  })
  if (report.broken.length > 0) {
    throw new LaunchError(`${name} was restored, and checks fail:\n${report.broken.join('\n')}`)
  }
  if (!report.isLive) {
    throw new LaunchError(
      `${name} was restored, and has no mail of the last 26 hours, though the site writes one each day. If the site has another ` +
        'database now, set DATABASE_URL and DATABASE_AUTH_TOKEN of this job; if not, its daily job does not run.',
    )
  }

  const stale = staleBackups(names, now)
  for (const old of stale) await store.remove(old)
  return [
    `Wrote ${name}: ${Math.ceil(bytes / 1_000)} KB of SQL.`,
    `Restored it from the store: ${report.statements} statements, ${CHECK_COUNT} checks, all hold.`,
    `Kept ${names.filter(isBackup).length - stale.length} backups, deleted ${stale.length}.`,
  ]
}

/** The daily job writes a mail to the operator at 03:17 UTC, with or without users. */
async function hasNewMail(url: string, now: Date): Promise<boolean> {
  const client = createClient({ url })
  const since = now.getTime() - hours(26)
  const { rows } = await client.execute('SELECT 1 FROM mails WHERE created_at > ? LIMIT 1', [since])
  client.close()
  return rows.length > 0
}

function wanted(vars: Variables, name: string): string {
  const value = vars[name]
  if (value) return value
  throw new LaunchError(`${name} is missing. See docs/runbook.md, "A backup every night".`)
}

function storeOf(vars: Variables) {
  return {
    url: wanted(vars, 'BACKUP_STORE'),
    accessKeyId: wanted(vars, 'BACKUP_ACCESS_KEY_ID'),
    secretAccessKey: wanted(vars, 'BACKUP_SECRET_ACCESS_KEY'),
    ...(vars['BACKUP_REGION'] ? { region: vars['BACKUP_REGION'] } : {}),
  }
}

const isBackup = (name: string) => /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.sql\.gz\.age$/.test(name)

/**
 * For each kind of period, how many are kept: the newest backup of each. Days are counted from 1970; weeks begin on
 * Monday.
 */
const KEPT = [
  { periods: 7, periodOf: (day: number) => day },
  { periods: 5, periodOf: (day: number) => Math.floor((day + 3) / 7) },
  { periods: 12, periodOf: monthOf },
]

function monthOf(day: number): number {
  const date = new Date(day * DAY_MS)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

const DAY_MS = days(1)

/** Which backups may go: all but the newest of each of 7 days, 5 weeks and 12 months. Files of other names are not ours. */
export function staleBackups(names: readonly string[], now: Date): string[] {
  const today = Math.floor(now.getTime() / DAY_MS)
  const backups = names.filter(isBackup).sort()
  const kept = KEPT.flatMap(({ periods, periodOf }) => {
    const newest = new Map(
      backups.map((name) => [periodOf(Date.parse(name.slice(0, 10)) / DAY_MS), name]),
    )
    return [...newest].flatMap(([period, name]) =>
      period > periodOf(today) - periods ? [name] : [],
    )
  })
  return backups.filter((name) => !kept.includes(name))
}
