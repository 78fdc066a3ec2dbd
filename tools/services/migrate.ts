import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type Client, LibsqlError } from '@libsql/client/http'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/libsql/http'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'
import { migrate } from 'drizzle-orm/libsql/migrator'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { keepFirstErrors } from '../../edge-api/db/keep-streams.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { root } from '../launcher/settings.ts'

const MIGRATIONS = join(root, 'edge-api/db/migrations')

/** A libSQL server, as `DATABASE_URL` and `DATABASE_AUTH_TOKEN` name it. */
export interface DatabaseAddress {
  url: string
  authToken?: string | undefined
}

/**
 * Brings a database up to date with drizzle-kit's folder, all or nothing, and returns the tags that were applied. Throws
 * a LaunchError when a migration fails, or was edited after it was applied.
 */
export async function applyMigrations({
  folder = MIGRATIONS,
  busyPauseMs,
  ...address
}: DatabaseAddress & { folder?: string; busyPauseMs?: number }): Promise<string[]> {
  const explain = (reason: string) => `Nothing was migrated: ${reason}`
  return inDatabase(address, explain, async (client) => {
    const db = drizzle({ client })
    const tags = await dueTags(db, folder)
    if (tags.length === 0) return tags
    const apply = () => migrate(db, { migrationsFolder: folder })
    await whileBusy(apply, busyPauseMs).catch((error: unknown) => {
      const reason = whyUnusable(error) ?? (error instanceof Error ? error.message : String(error))
      throw new LaunchError(`Migrating (${tags.join(', ')}) failed and changed nothing: ${reason}`)
    })
    return tags
  })
}

/**
 * The tags of the migrations that the database of a deployment lacks. Applies none. Throws a LaunchError when the database
 * cannot be reached or written, a migration was edited after it was applied, or the tree is older than the database.
 */
export async function dueMigrations(address: DatabaseAddress): Promise<string[]> {
  const explain = (reason: string) => `${capitalized(reason)} ${AT_TURSO}`
  return inDatabase(address, explain, async (client) => {
    // An empty transaction that may write: a token that only reads is refused here.
    const writing = await client.transaction('write')
    await writing.rollback()
    const db = drizzle({ client })
    const due = await dueTags(db, MIGRATIONS)
    await refuseOlderTree(db)
    return due
  })
}

/** While the server writes its log into the files of a large database, it accepts no other write for seconds. */
const BUSY_TRIES = 20

/** A busy machine takes longer for a transaction than the five seconds after which the server undoes it for another writer. */
const BUSY = ['SQLITE_BUSY', 'TRANSACTION_TIMEOUT']

/** Does an atomic `write`, and again each second while the server is busy. */
export async function whileBusy<T>(write: () => Promise<T>, pauseMs = 1_000): Promise<T> {
  for (let left = BUSY_TRIES; ; left -= 1) {
    try {
      return await write()
    } catch (error) {
      if (left === 0 || !isBusy(error)) throw error
      await sleep(pauseMs)
    }
  }
}

/** Drizzle's own error is around the client's. */
function isBusy(error: unknown): boolean {
  const fault = error instanceof Error && error.cause instanceof LibsqlError ? error.cause : error
  return fault instanceof LibsqlError && BUSY.includes(fault.code)
}

/** Throws a LaunchError in the words of `explain` when the database itself cannot be used. */
async function inDatabase<T>(
  address: DatabaseAddress,
  explain: (reason: string) => string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = openClient(address)
  try {
    return await work(client)
  } catch (error) {
    const reason = whyUnusable(error)
    throw reason === null ? error : new LaunchError(explain(reason))
  } finally {
    client.close()
  }
}

const AT_TURSO =
  'At Turso: the database → Connect shows its address, and Create Token with Read & Write a token. Needs a member of the organization.'

const capitalized = (text: string) => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`

/** The tags of the migrations that are not applied yet. Throws a LaunchError when one was edited after it was applied. */
async function dueTags(db: LibSQLDatabase, folder: string): Promise<string[]> {
  const applied = await appliedMigrations(db)
  const due = readMigrations(folder).filter(
    (one) => !hashesOf(one).some((hash) => applied.has(hash)),
  )
  if (due.length > 0) refuseEdited(due, applied)
  return due.map(({ tag }) => tag)
}

/** Such a tree is an older release, though on a developer's machine it may be another branch. */
async function refuseOlderTree(db: LibSQLDatabase): Promise<void> {
  const known = new Set(readMigrations(MIGRATIONS).flatMap(hashesOf))
  if ([...(await appliedMigrations(db)).keys()].every((hash) => known.has(hash))) return
  throw new LaunchError(
    'The database has a migration that this tree lacks, so a newer tree was deployed: pull. To take its release back, revert it in a ' +
      'commit that keeps edge-api/db/migrations and deploy that, or roll back: npm run ops -- wrangler rollback --env NAME',
  )
}

function openClient({ url, authToken }: DatabaseAddress): Client {
  try {
    return createClient({ url, ...(authToken ? { authToken } : {}), fetch: fetchAnswer })
  } catch {
    throw new LaunchError('DATABASE_URL has to be the libsql:// or https:// address of a database.')
  }
}

async function fetchAnswer(request: Request): Promise<Response> {
  const response = await fetch(request)
  if (!response.ok) return response
  const json = response.json.bind(response)
  return Object.assign(response, { json: async () => keepFirstErrors(await json()) })
}

/** The messages of clients and servers when the database itself cannot be used, and what to do. */
const UNUSABLE = [
  [/fetch failed|status 404/, 'it cannot be reached. Check DATABASE_URL and the network.'],
  [/status 40[13]/, 'it refuses the token. Set DATABASE_AUTH_TOKEN to one that may write.'],
  [/blocked|forbidden|read-?only/i, 'it takes no writes now. See its plan and state at its host.'],
  [/is full/, 'its disk or quota is full. Make room at its host.'],
] as const

function whyUnusable(error: unknown): string | null {
  if (!(error instanceof Error) || error instanceof LaunchError) return null
  // Drizzle's own error is around the client's and quotes the query, which can hold any word.
  const { message } = error.cause instanceof Error ? error.cause : error
  const found = UNUSABLE.find(([words]) => words.test(message))
  return found === undefined ? null : `the database cannot be used: ${found[1]}`
}

interface Migration {
  tag: string
  /** Its text, with the line endings of this checkout. */
  text: string
  /** When it was written, milliseconds UTC. */
  writtenAt: number
}

function readMigrations(folder: string): Migration[] {
  const journal = readFileSync(join(folder, 'meta/_journal.json'), 'utf8')
  const { entries }: { entries: { tag: string }[] } = JSON.parse(journal)
  const files = readMigrationFiles({ migrationsFolder: folder })
  return files.map(({ folderMillis }, index) => {
    const tag = entries[index]?.tag ?? ''
    const text = readFileSync(join(folder, `${tag}.sql`), 'utf8')
    return { tag, text, writtenAt: folderMillis }
  })
}

/** What drizzle may have called a migration: its hash with the line endings of Linux, and with those of Windows. */
function hashesOf({ text }: Migration): string[] {
  const lines = text.replaceAll('\r\n', '\n')
  return [lines, lines.replaceAll('\n', '\r\n')].map((one) =>
    createHash('sha256').update(one).digest('hex'),
  )
}

/** Hash and `writtenAt` of the migrations that drizzle has applied to the database. */
async function appliedMigrations(db: LibSQLDatabase): Promise<Map<string, number>> {
  const tables = await db.all(sql`SELECT 1 FROM sqlite_master WHERE name = '__drizzle_migrations'`)
  if (tables.length === 0) return new Map()
  const rows = await db.all<{ hash: string; created_at: number }>(
    sql`SELECT hash, created_at FROM __drizzle_migrations`,
  )
  return new Map(rows.map(({ hash, created_at }) => [hash, created_at]))
}

/** Drizzle applies migrations written after the last one it applied, and silently skips older ones. */
function refuseEdited(due: Migration[], applied: Map<string, number>): void {
  const edited = due.find(({ writtenAt }) => writtenAt <= Math.max(...applied.values()))
  if (edited === undefined) return
  throw new LaunchError(
    `Migration ${edited.tag} was edited after it was applied to this database, or is older than one that was (of another branch): ` +
      'restore it, or generate it anew (or, where the data may go, delete the data folder).',
  )
}
