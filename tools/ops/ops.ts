import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { unstable_readConfig } from 'wrangler'
import { type Environment, readEnvironment } from '../deploy/environment.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { readSecrets } from '../launcher/dev-vars.ts'
import { readSettings, root, workerVars } from '../launcher/settings.ts'
import { receiptsOfMonth } from '../../edge-api/domain/purchase/list-receipts.ts'
import { receiptsCsv } from '../../src/contract/receipt-csv.ts'
import { Month } from '../../src/contract/text.ts'
import { backup, type DatabaseAddress, restore } from './backup.ts'
import { withLocalDatabase, withNewDatabase } from './local-database.ts'
import { operatorContext } from './operator-context.ts'
import { describeReport, isReconciled, reconcile } from './reconcile.ts'
import { RULE_COUNT, verifyLedger } from './verify-ledger.ts'

const USAGE = `npm run ops -- COMMAND [--env NAME]
  backup FILE              writes the whole database to FILE, gzipped SQL
  restore FILE             puts a backup into an empty database
  verify-ledger            checks money and tokens, and changes nothing
  receipts --month YYYY-MM prints the month's receipts and credit notes as CSV
  reconcile --since DATE   settles what Razorpay knows since DATE and the database does not
The database is the one of .secrets/NAME.env, else of DATABASE_URL and DATABASE_AUTH_TOKEN, else the local one.`

interface Words {
  command: string
  file: string
  since: string
  month: string
  /** Null for the local database, or the one of DATABASE_URL. */
  environment: Environment | null
}

/** What an operator does to a database. */
type Work = (database: DatabaseAddress) => Promise<void>

/** `npm run ops -- …`. Throws a LaunchError that says what to do. */
export async function ops(args: string[]): Promise<void> {
  const words = readWords(args)
  const work = workOf(words)
  const database = addressOf(words)
  if (database !== null) return work(database)
  const { dataDir } = readSettings(process.env)
  const withDatabase = words.command === 'restore' ? withNewDatabase : withLocalDatabase
  return withDatabase(dataDir, (url) => work({ url }))
}

function readWords(args: string[]): Words {
  const { values, positionals } = parse(args)
  const [command = '', file = ''] = positionals
  const environment = values.env === undefined ? null : readEnvironment(values.env)
  return { command, file, since: values.since ?? '', month: values.month ?? '', environment }
}

function parse(args: string[]) {
  try {
    const options = {
      env: { type: 'string' },
      since: { type: 'string' },
      month: { type: 'string' },
    } as const
    return parseArgs({ args, options, allowPositionals: true })
  } catch {
    throw new LaunchError(USAGE)
  }
}

function workOf({ command, file, since, month, environment }: Words): Work {
  if (command === 'backup' && file) return (database) => backUp(database, file)
  if (command === 'restore' && file) return (database) => putBack(database, file)
  if (command === 'verify-ledger') return verify
  if (command === 'reconcile' && since) {
    return (database) => readGap(database, { environment, since })
  }
  if (command === 'receipts' && Month.safeParse(month).success) {
    return (database) => printReceipts(database, { environment, month })
  }
  throw new LaunchError(USAGE)
}

async function printReceipts(
  { url, authToken = '' }: DatabaseAddress,
  { environment, month }: Pick<Words, 'environment' | 'month'>,
): Promise<void> {
  const { declared, vars } = environment === null ? workerHere() : workerOf(environment)
  const database = { DATABASE_URL: url, DATABASE_AUTH_TOKEN: authToken }
  const ctx = operatorContext(declared, { ...vars, ...database })
  process.stdout.write(receiptsCsv(await receiptsOfMonth(ctx, month)))
}

async function backUp(database: DatabaseAddress, file: string): Promise<void> {
  const bytes = await backup(database, file)
  console.log(`Wrote ${file}: ${Math.ceil(bytes / 1_000)} KB of SQL.`)
}

async function putBack(database: DatabaseAddress, file: string): Promise<void> {
  const statements = await restore(database, file)
  console.log(`Restored ${statements} statements. Next: verify-ledger, then reconcile.`)
}

async function verify(database: DatabaseAddress): Promise<void> {
  const broken = await verifyLedger(database)
  console.log(broken.length === 0 ? `${RULE_COUNT} rules, all hold.` : broken.join('\n'))
  if (broken.length > 0) process.exitCode = 1
}

async function readGap(
  { url, authToken = '' }: DatabaseAddress,
  { environment, since }: Pick<Words, 'environment' | 'since'>,
): Promise<void> {
  const { declared, vars } = environment === null ? workerHere() : workerOf(environment)
  const database = { DATABASE_URL: url, DATABASE_AUTH_TOKEN: authToken }
  const report = await reconcile(operatorContext(declared, { ...vars, ...database }), since)
  console.log(describeReport(report).join('\n'))
  if (!isReconciled(report)) process.exitCode = 1
}

/** What the Worker of an environment is handed. */
function workerOf({ declared, secrets, origin }: Environment) {
  const ENVIRONMENT = String(declared.vars['ENVIRONMENT'])
  return { declared, vars: { ...secrets, ENVIRONMENT, PUBLIC_ORIGIN: origin } }
}

/** What the Worker of this machine is handed. */
function workerHere() {
  if (process.env.DATABASE_URL) {
    throw new LaunchError('Add --env NAME: this asks Razorpay with the keys of an environment.')
  }
  const declared = unstable_readConfig({ config: join(root, 'wrangler.toml'), env: '' })
  const secrets = readSecrets(join(root, '.dev.vars'))
  return { declared, vars: { ...secrets, ...workerVars(readSettings(process.env)) } }
}

/** Null for the local database. */
function addressOf({ environment }: Words): DatabaseAddress | null {
  const secrets = environment === null ? process.env : environment.secrets
  const { DATABASE_URL: url, DATABASE_AUTH_TOKEN: authToken } = secrets
  if (url) return { url, authToken }
  if (environment === null) return null
  throw new LaunchError(`DATABASE_URL is missing for ${environment.name}.`)
}
