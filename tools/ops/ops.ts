import { parseArgs } from 'node:util'
import { readEnvironment } from '../deploy/environment.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { readSettings } from '../launcher/settings.ts'
import { backup, type DatabaseAddress, restore } from './backup.ts'
import { withLocalDatabase, withNewDatabase } from './local-database.ts'
import { RULE_COUNT, verifyLedger } from './verify-ledger.ts'

const USAGE = `npm run ops -- COMMAND [--env NAME]
  backup FILE      writes the whole database to FILE, gzipped SQL
  restore FILE     puts a backup into an empty database
  verify-ledger    checks money and tokens, and changes nothing
The database is the one of .secrets/NAME.env, else of DATABASE_URL and DATABASE_AUTH_TOKEN, else the local one.`

/** What an operator does to a database. */
type Work = (database: DatabaseAddress) => Promise<void>

/** `npm run ops -- …`. Throws a LaunchError that says what to do. */
export async function ops(words: string[]): Promise<void> {
  const { command, file, environment } = readWords(words)
  const work = workOf(command, file)
  const database = addressOf(environment)
  if (database !== null) return work(database)
  const { dataDir } = readSettings(process.env)
  const withDatabase = command === 'restore' ? withNewDatabase : withLocalDatabase
  return withDatabase(dataDir, (url) => work({ url }))
}

function readWords(args: string[]) {
  try {
    const options = { env: { type: 'string' } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const [command = '', file = ''] = positionals
    return { command, file, environment: values.env }
  } catch {
    throw new LaunchError(USAGE)
  }
}

function workOf(command: string, file: string): Work {
  if (command === 'backup' && file) return (database) => backUp(database, file)
  if (command === 'restore' && file) return (database) => putBack(database, file)
  if (command === 'verify-ledger') return verify
  throw new LaunchError(USAGE)
}

async function backUp(database: DatabaseAddress, file: string): Promise<void> {
  const bytes = await backup(database, file)
  console.log(`Wrote ${file}: ${Math.ceil(bytes / 1_000)} KB of SQL.`)
}

async function putBack(database: DatabaseAddress, file: string): Promise<void> {
  const statements = await restore(database, file)
  console.log(`Restored ${statements} statements. Now: npm run ops -- verify-ledger`)
}

async function verify(database: DatabaseAddress): Promise<void> {
  const broken = await verifyLedger(database)
  console.log(broken.length === 0 ? `${RULE_COUNT} rules, all hold.` : broken.join('\n'))
  if (broken.length > 0) process.exitCode = 1
}

/** Null for the local database. */
function addressOf(environment: string | undefined): DatabaseAddress | null {
  const secrets = environment === undefined ? process.env : readEnvironment(environment).secrets
  const { DATABASE_URL: url, DATABASE_AUTH_TOKEN: authToken } = secrets
  if (url) return { url, authToken }
  if (environment === undefined) return null
  throw new LaunchError(`DATABASE_URL is missing for ${environment}.`)
}
