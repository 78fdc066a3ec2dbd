import { parseArgs } from 'node:util'
import { ApiError } from '../../edge-api/domain/api-error.ts'
import { receiptsOfMonth } from '../../edge-api/domain/purchase/receipts.ts'
import { receiptsCsv } from './receipt-csv.ts'
import { toIso } from '../../edge-api/domain/time.ts'
import { Month } from '../../src/contract/text.ts'
import { lookAtEverything } from '../deploy/check-environment.ts'
import { reportLines } from '../deploy/check-outside.ts'
import { readEnvironment } from '../deploy/environment.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { runTool } from '../launcher/run-tool.ts'
import { readSettings } from '../launcher/settings.ts'
import { applyMigrations, type DatabaseAddress } from '../services/migrate.ts'
import { backup, requireEncrypted, restore } from './backup.ts'
import { withLocalDatabase, withNewDatabase } from './local-database.ts'
import { nightlyBackup } from './nightly-backup.ts'
import { describeReport, isReconciled, reconcile, startOf } from './reconcile.ts'
import { rotate } from './rotate-command.ts'
import { newBackupKey } from './encrypted.ts'
import { stuck } from './stuck.ts'
import { addressOf, withContext } from './target.ts'
import { CHECK_COUNT, verifyLedger } from './verify-ledger.ts'

const USAGE = `npm run ops -- COMMAND [--env NAME]
  stuck                    lists what waits, and ends with 1 when something is overdue
  rotate jwt|webhook       puts a new secret beside those in use; --drop-old leaves the newest, --leaked replaces all
  rotate razorpay-key ID   puts another key in its place; reads its secret from the input
  backup FILE              writes the whole database to FILE, gzipped SQL; a FILE.age is encrypted with BACKUP_KEY
  restore FILE             puts a backup into an empty database
  nightly-backup           puts an encrypted backup into BACKUP_STORE, restores it from there and verifies it
  backup-key               prints a new BACKUP_KEY
  verify-ledger            checks money and tokens, and changes nothing
  check-config             checks all that a deployment needs, and says where to fix it; needs --env
  receipts --month YYYY-MM prints the month's receipts and credit notes as CSV; npm run -s ops … > FILE writes them
  migrate                  brings the database's schema up to date; npm start and deploy do it too
  wrangler WORDS           runs Wrangler, Cloudflare's command line
  reconcile --since DATE   settles what Razorpay knows since DATE and the database does not
rotate only says what it would do, until you add --write.
The database is the one of .secrets/NAME.env, else of DATABASE_URL and DATABASE_AUTH_TOKEN, else the local one.`

const OPTIONS = {
  env: { type: 'string' },
  since: { type: 'string' },
  month: { type: 'string' },
  write: { type: 'boolean' },
  leaked: { type: 'boolean' },
  'drop-old': { type: 'boolean' },
} as const

/** How many words follow a command, and its options besides `env`. */
const TAKES = new Map<string, readonly [words: number, ...options: string[]]>([
  ['rotate', [2, 'write', 'leaked', 'drop-old']],
  ['backup', [1]],
  ['restore', [1]],
  ['receipts', [0, 'month']],
  ['reconcile', [0, 'since']],
])

type Words = ReturnType<typeof readWords>

/** `npm run ops -- …`. Throws a LaunchError that says what to do. */
export async function ops(args: string[]): Promise<void> {
  // It has options of its own.
  if (args[0] === 'wrangler') return wrangler(args.slice(1))
  const words = readWords(args)
  const command = Object.hasOwn(COMMANDS, words.command) ? COMMANDS[words.command] : undefined
  if (command === undefined) throw new LaunchError(USAGE)
  try {
    await command(words)
  } catch (error) {
    throw error instanceof ApiError ? new LaunchError(error.message) : error
  }
}

async function wrangler(words: string[]): Promise<void> {
  const { code } = await runTool('wrangler', words, { shows: true })
  process.exitCode = code
}

function readWords(args: string[]) {
  const { values, positionals } = parse(args)
  const [command = '', first = '', second = ''] = positionals
  const [count, ...options] = TAKES.get(command) ?? [0]
  // `verify-ledger production` would verify the local database.
  const extra =
    positionals[count + 1] ??
    Object.keys(values).find((name) => name !== 'env' && !options.includes(name))
  if (extra !== undefined) throw new LaunchError(`${command} takes no "${extra}".\n${USAGE}`)
  const environment = values.env === undefined ? null : readEnvironment(values.env)
  const isWrite = values.write === true
  return { ...values, command, first, second, environment, isWrite }
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true })
  } catch {
    throw new LaunchError(USAGE)
  }
}

const COMMANDS: Record<string, (words: Words) => Promise<void>> = {
  stuck: (words) =>
    withContext(words, async (ctx) => {
      const { lines, isOverdue } = await stuck(ctx)
      show(lines)
      if (isOverdue) process.exitCode = 1
    }),
  rotate: async (words) => {
    show(await rotate(words))
  },
  backup: (words) =>
    withDatabase(words, async (database) => {
      const file = wanted(words)
      requireEncrypted(database, words.environment?.name, file)
      const bytes = await backup(database, file, process.env.BACKUP_KEY)
      console.log(`Wrote ${file}: ${Math.ceil(bytes / 1_000)} KB of SQL.`)
    }),
  restore: (words) =>
    withDatabase(words, async (database) => {
      const statements = await restore(database, wanted(words), process.env.BACKUP_KEY)
      console.log(`Restored ${statements} statements. Next: verify-ledger, then reconcile.`)
    }),
  // Never of the local database, which a variable that is missing would else mean.
  'nightly-backup': async ({ environment }) => {
    const own = environment && { DATABASE_URL: '', ...environment.secrets }
    show(await nightlyBackup({ ...process.env, ...own }))
  },
  'backup-key': async () => {
    show([await newBackupKey()])
  },
  migrate: (words) =>
    withDatabase(words, async (database) => {
      const applied = await applyMigrations(database)
      show([applied.length === 0 ? 'The schema is up to date.' : `Applied: ${applied.join(', ')}`])
    }),
  'verify-ledger': (words) =>
    withDatabase(words, async (database) => {
      const broken = await verifyLedger(database)
      show(broken.length === 0 ? [`${CHECK_COUNT} checks, all hold.`] : broken)
      if (broken.length > 0) process.exitCode = 1
    }),
  'check-config': async ({ environment }) => {
    if (environment === null) throw new LaunchError(USAGE)
    const findings = await lookAtEverything(environment)
    show(reportLines(findings))
    if (findings.some(({ state }) => state === 'stop')) process.exitCode = 1
  },
  receipts: (words) => {
    const month = Month.safeParse(words.month).data
    if (month === undefined) throw new LaunchError(USAGE)
    return withContext(words, async (ctx) => {
      process.stdout.write(receiptsCsv(await receiptsOfMonth(ctx, month)))
    })
  },
  reconcile: (words) => {
    const { since } = words
    if (since === undefined) throw new LaunchError(USAGE)
    return withContext(words, async (ctx) => {
      const from = startOf(since, ctx.now)
      show([`Asking Razorpay for what happened since ${toIso(from)}.`])
      const report = await reconcile(ctx, from)
      show(describeReport(report))
      if (!isReconciled(report)) process.exitCode = 1
    })
  },
}

/** The word after the command. Throws a LaunchError without one. */
function wanted({ first }: Words): string {
  if (first === '') throw new LaunchError(USAGE)
  return first
}

function show(lines: readonly string[]): void {
  console.log(lines.join('\n'))
}

/** Runs work on the database that the words name. */
async function withDatabase(
  words: Words,
  work: (database: DatabaseAddress) => Promise<void>,
): Promise<void> {
  const database = addressOf(words)
  if (database !== null) return work(database)
  const { dataDir } = readSettings(process.env)
  const local = words.command === 'restore' ? withNewDatabase : withLocalDatabase
  return local(dataDir, (url) => work({ url }))
}
