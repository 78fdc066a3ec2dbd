import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { pipeline as pipe } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { createClient, type Client } from '@libsql/client/http'
import { LOOPBACK } from '../../edge-api/gateways/loopback.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { applyMigrations, type DatabaseAddress, whileBusy } from '../services/migrate.ts'
import { isEncrypted, encryptChunks, decryptChunks } from './encrypted.ts'

/** Statements of one transaction while restoring: large enough to be quick, small enough for the server's 5 seconds. */
const BATCH_STATEMENTS = 500
const BATCH_BYTES = 512 * 1024

/**
 * Writes the whole database into one gzipped file of SQL, as the server dumps it: a consistent snapshot. The file gets its
 * name only when it is complete, and replaces no other. While a large database is dumped the server may refuse a write. A
 * file whose name ends in `.age` is encrypted with the key. Throws a LaunchError when the server does not answer or stops
 * in the middle, or the file cannot be written.
 *
 * @returns how many bytes of SQL were written, before compression
 */
export async function backup(
  { url, authToken }: DatabaseAddress,
  file: string,
  key?: string,
): Promise<number> {
  if (existsSync(file)) throw new LaunchError(`${file} exists. Delete it, or choose another name.`)
  const address = `${url.replace(/^libsql:/, 'https:').replace(/\/$/, '')}/dump`
  const answer = await fetch(address, {
    headers: authToken ? { Authorization: `Bearer ${authToken}` } : {},
  }).catch(() => null)
  if (answer === null) throw new LaunchError(`No database answers at ${url}.`)
  if (!answer.ok || answer.body === null) {
    throw new LaunchError(`The database at ${url} refused the backup: HTTP ${answer.status}.`)
  }
  const partial = `${file}.partial`
  let bytes = 0
  let end = ''
  try {
    await pipe(
      Readable.from(answer.body),
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          bytes += chunk.length
          end = (end + Buffer.from(chunk).toString('latin1')).slice(-20)
          yield chunk
        }
      },
      createGzip(),
      (chunks: AsyncIterable<Uint8Array>) =>
        isEncrypted(file) ? encryptChunks(chunks, key) : chunks,
      createWriteStream(partial, { mode: 0o600 }),
    )
    if (!end.trimEnd().endsWith('COMMIT;')) {
      throw new LaunchError('The database stopped in the middle of the backup: nothing was kept.')
    }
    await sync(partial)
    await rename(partial, file)
  } catch (error) {
    throw isFault(error) ? new LaunchError(`Nothing was backed up: ${error.message}`) : error
  } finally {
    await rm(partial, { force: true })
  }
  return bytes
}

/**
 * Throws a LaunchError unless the file will be encrypted, or the database is of this machine or of staging: the privacy page
 * promises that backups of production are. A database without an environment's name may be production's.
 */
export function requireEncrypted(
  { url }: DatabaseAddress,
  environment: string | undefined,
  file: string,
): void {
  if (isEncrypted(file) || environment === 'staging' || LOOPBACK.includes(new URL(url).hostname))
    return
  throw new LaunchError(
    `Nothing was backed up: this may be production. End the name with .age (${file}.age), and set BACKUP_KEY, which encrypts it.`,
  )
}

/** Whether the system, the network or zlib reports it. Their messages name the file or the address. */
function isFault(error: unknown): error is Error {
  return error instanceof TypeError || (error instanceof Error && 'code' in error)
}

async function sync(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  await handle.sync()
  await handle.close()
}

/**
 * Puts a backup into an empty database, a few hundred statements at a time, and migrates it. The server's own restore
 * splits triggers at their semicolons and fails. Throws a LaunchError when the database holds tables already.
 *
 * @returns how many statements were executed
 */
export async function restore(
  { url, authToken }: DatabaseAddress,
  file: string,
  key?: string,
): Promise<number> {
  const client = createClient({ url, ...(authToken ? { authToken } : {}) })
  try {
    await requireEmpty(client, url)
    let count = 0
    for await (const statements of inBatches(withMarksLast(readStatements(file, key)))) {
      await execute(client, statements)
      count += statements.length
    }
    // The tools that follow read the schema of this tree, and the backup has that of its day.
    await applyMigrations({ url, authToken })
    return count
  } catch (error) {
    if (!isFault(error)) throw error
    throw new LaunchError(
      `The restore stopped: ${error.message}. Begin again with a new, empty database.`,
    )
  } finally {
    client.close()
  }
}

/**
 * One transaction, with foreign keys off: tables of a dump refer to tables that come later. Each statement is sent by itself,
 * because of several in one text sqld skips those that it cannot read, and reports success.
 */
async function execute(client: Client, statements: string[]): Promise<void> {
  await whileBusy(() => client.migrate(statements))
}

async function requireEmpty(client: Client, url: string): Promise<void> {
  const { rows } = await client.execute(
    "SELECT count(*) AS tables FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'libsql_%'",
  )
  if (rows[0]?.['tables'] === 0) return
  throw new LaunchError(
    `${url} is not empty. Restore into a new database, then point the Worker at it.`,
  )
}

/** A dump begins with which migrations were applied. */
const MARKS = /^(CREATE TABLE IF NOT EXISTS|INSERT INTO) "?__drizzle_migrations\b/

/** So that `npm start` and deployments refuse what an interrupted restore leaves, which has no triggers yet. */
async function* withMarksLast(statements: AsyncIterable<string>): AsyncGenerator<string> {
  const marks: string[] = []
  for await (const statement of statements) {
    if (MARKS.test(statement)) marks.push(statement)
    else yield statement
  }
  yield* marks
}

/** Lines of a dump that are left out, because every batch is a transaction of its own. */
const FRAME = /^(PRAGMA |BEGIN TRANSACTION;|COMMIT;)/

/**
 * The statements of a dump, one by one. A dump keeps each row on one line; only the statements that create tables and
 * triggers have more.
 */
async function* readStatements(file: string, key?: string): AsyncGenerator<string> {
  let statement = ''
  for await (const line of linesOf(file, key)) {
    if (statement === '' && FRAME.test(line)) continue
    statement += statement === '' ? line : `\n${line}`
    if (!isComplete(statement)) continue
    yield statement
    statement = ''
  }
  if (statement.trim() !== '') throw new LaunchError(`${file} ends in the middle of a statement.`)
}

/** Node's own reader of lines also splits texts, at U+2028 for example. */
async function* linesOf(file: string, key?: string): AsyncGenerator<string> {
  const decrypted = (chunks: AsyncIterable<Uint8Array>) =>
    isEncrypted(file) ? decryptChunks(chunks, key) : chunks
  const text = pipeline(
    createReadStream(file),
    decrypted,
    createGunzip(),
    () => undefined,
  ).setEncoding('utf8')
  let rest = ''
  for await (const chunk of text) {
    const lines = `${rest}${String(chunk)}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** A trigger holds statements of its own and ends after them. */
function isComplete(statement: string): boolean {
  return /^CREATE TRIGGER/i.test(statement)
    ? /;\s*END;\s*$/i.test(statement)
    : statement.endsWith(';')
}

async function* inBatches(statements: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = []
  let bytes = 0
  for await (const statement of statements) {
    batch.push(statement)
    bytes += statement.length
    if (batch.length < BATCH_STATEMENTS && bytes < BATCH_BYTES) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}
