import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, type Client } from '@libsql/client/http'
import { LaunchError } from './launch-error.ts'

interface Migration {
  tag: string
  hash: string
  statements: string[]
}

/**
 * Brings a database up to date with drizzle-kit's folder and returns the tags that were applied. Each migration is one
 * transaction together with its row in __migrations. Throws a LaunchError when an applied one was edited since.
 */
export async function applyMigrations({
  url,
  authToken,
  folder,
}: {
  url: string
  authToken?: string
  folder: string
}): Promise<string[]> {
  const migrations = readMigrations(folder)
  const client = createClient({ url, ...(authToken ? { authToken } : {}) })
  try {
    const applied = await appliedHashes(client)
    const due = migrations.filter((migration) => isDue(migration, applied))
    for (const migration of due) await apply(client, migration)
    return due.map(({ tag }) => tag)
  } finally {
    client.close()
  }
}

function readMigrations(folder: string): Migration[] {
  const journal = join(folder, 'meta/_journal.json')
  if (!existsSync(journal)) return []
  const { entries }: { entries: { tag: string }[] } = JSON.parse(readFileSync(journal, 'utf8'))
  return entries.map(({ tag }) => {
    const sql = readFileSync(join(folder, `${tag}.sql`), 'utf8')
    return {
      tag,
      hash: createHash('sha256').update(sql).digest('hex'),
      statements: sql
        .split('--> statement-breakpoint')
        .map((statement) => statement.trim())
        .filter(Boolean),
    }
  })
}

async function appliedHashes(client: Client): Promise<Map<string, string>> {
  await client.execute(
    'CREATE TABLE IF NOT EXISTS __migrations (tag TEXT PRIMARY KEY, hash TEXT NOT NULL, applied_at TEXT NOT NULL)',
  )
  const { rows } = await client.execute('SELECT tag, hash FROM __migrations')
  return new Map(rows.map((row) => [String(row.tag), String(row.hash)]))
}

function isDue({ tag, hash }: Migration, applied: Map<string, string>): boolean {
  const known = applied.get(tag)
  if (known !== undefined && known !== hash) {
    throw new LaunchError(
      `Migration ${tag} was applied to this database and edited since: restore it and write the change as a new migration ` +
        '(or, where the data may go, delete the data folder).',
    )
  }
  return known === undefined
}

async function apply(client: Client, { tag, hash, statements }: Migration): Promise<void> {
  const record = {
    sql: "INSERT INTO __migrations VALUES (?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
    args: [tag, hash],
  }
  try {
    // Not batch(): a table rebuilt by drizzle-kit needs foreign keys off, which only works outside a transaction.
    await client.migrate([...statements, record])
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new LaunchError(`Migration ${tag} failed and changed nothing: ${reason}`)
  }
}
