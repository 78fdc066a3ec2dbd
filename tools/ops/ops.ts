import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { readSettings } from '../launcher/settings.ts'
import { backup, type DatabaseAddress, restore } from './backup.ts'
import { RULE_COUNT, verifyLedger } from './verify-ledger.ts'

const USAGE = `npm run ops -- COMMAND, on the database of DATABASE_URL (and DATABASE_AUTH_TOKEN), else the local one:
  backup FILE      writes all of it to FILE, gzipped SQL
  restore FILE     puts a backup into an empty database
  verify-ledger    checks money and tokens, and changes nothing`

/** `npm run ops -- …`: what an operator does to a database. Throws a LaunchError that says what to do. */
export async function ops([command, file]: string[]): Promise<void> {
  const database = addressOf(process.env)
  if (command === 'backup' && file) {
    const bytes = await backup(database, file)
    console.log(`Wrote ${file}: ${Math.ceil(bytes / 1_000)} KB of SQL.`)
  } else if (command === 'restore' && file) {
    const statements = await restore(database, file)
    console.log(`Restored ${statements} statements. Now: npm run ops -- verify-ledger`)
  } else if (command === 'verify-ledger') {
    const broken = await verifyLedger(database)
    console.log(broken.length === 0 ? `${RULE_COUNT} rules, all hold.` : broken.join('\n'))
    if (broken.length > 0) process.exitCode = 1
  } else throw new LaunchError(USAGE)
}

function addressOf(env: NodeJS.ProcessEnv): DatabaseAddress {
  const { DATABASE_URL, DATABASE_AUTH_TOKEN } = env
  const url = DATABASE_URL || `http://127.0.0.1:${readSettings(env).dbPort}`
  return { url, authToken: DATABASE_AUTH_TOKEN }
}
