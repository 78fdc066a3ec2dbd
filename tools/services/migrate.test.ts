import { generateKeyPairSync } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@libsql/client/http'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { fileFolder } from '../../tests/harness/test-folder.ts'
import { startProxy } from '../../tests/harness/database-proxy.ts'
import { runService, startSqld, type Sqld } from '../../tests/harness/services.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { root } from '../launcher/settings.ts'
import { backup, restore } from '../ops/backup.ts'
import { applyMigrations, dueMigrations } from './migrate.ts'
import { freePort } from './ports.ts'
import { sqldSpec } from './sqld.ts'

const scratch = fileFolder('migrations')
let sqld: Sqld
beforeEach(async () => {
  sqld = await startSqld({ isMigrated: false })
})
afterEach(() => sqld.stop())

function migrations(name: string, files: Record<string, string>): { url: string; folder: string } {
  const folder = join(scratch, name)
  mkdirSync(join(folder, 'meta'), { recursive: true })
  const entries = Object.keys(files).map((tag) => ({ tag, when: Number(tag.slice(0, 4)) }))
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ entries }))
  for (const [tag, sql] of Object.entries(files)) writeFileSync(join(folder, `${tag}.sql`), sql)
  return { url: sqld.url, folder }
}

async function tables(): Promise<string[]> {
  const client = createClient({ url: sqld.url })
  const { rows } = await client.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
  client.close()
  return rows.map((row) => String(row.name))
}

const pair =
  'CREATE TABLE ducks (id TEXT);\n--> statement-breakpoint\nCREATE TABLE geese (id TEXT);'

test('each migration is applied once, in the order of the journal', async () => {
  const place = migrations('once', { '0000_birds': pair })
  expect(await applyMigrations(place)).toEqual(['0000_birds'])
  expect(await tables()).toEqual(expect.arrayContaining(['ducks', 'geese']))
  const more = { '0000_birds': pair, '0001_swans': 'CREATE TABLE swans (id TEXT)' }
  expect(await applyMigrations(migrations('more', more))).toEqual(['0001_swans'])
  expect(await applyMigrations(migrations('more', more))).toEqual([])
})

test('a checkout with other line endings has the same migrations', async () => {
  const windows = pair.replaceAll('\n', '\r\n')
  await applyMigrations(migrations('linux', { '0000_birds': pair }))
  expect(await applyMigrations(migrations('windows', { '0000_birds': windows }))).toEqual([])
  const swans = 'CREATE TABLE swans (id TEXT);\n'
  const more = { '0000_birds': windows, '0001_swans': swans.replace('\n', '\r\n') }
  await applyMigrations(migrations('more-windows', more))
  const back = migrations('more-linux', { '0000_birds': pair, '0001_swans': swans })
  expect(await applyMigrations(back)).toEqual([])
})

test('a migration that was applied and then edited is refused', async () => {
  await applyMigrations(migrations('once', { '0000_birds': pair }))
  const place = migrations('edited', { '0000_birds': `${pair} ` })
  await expect(applyMigrations(place)).rejects.toThrow('0000_birds was edited after it was applied')
})

test('a migration of a branch that is older than the newest applied one is refused, and called that', async () => {
  await applyMigrations(migrations('newer', { '0001_swans': 'CREATE TABLE swans (id TEXT)' }))
  await expect(applyMigrations(migrations('branch', { '0000_birds': pair }))).rejects.toThrow(
    '0000_birds was edited after it was applied to this database, or is older than one that was',
  )
})

test('a deployment from a tree that lacks a migration of its database is refused; a start on this machine is not', async () => {
  await applyMigrations({ url: sqld.url })
  expect(await dueMigrations({ url: sqld.url })).toEqual([])
  const client = createClient({ url: sqld.url })
  await client.execute(
    "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 9999999999999)",
  )
  client.close()
  await expect(dueMigrations({ url: sqld.url })).rejects.toThrow(
    'The database has a migration that this tree lacks',
  )
  expect(await applyMigrations({ url: sqld.url })).toEqual([])
})

test('a backup of an older schema has the schema of this tree once it is restored', async () => {
  const folder = join(scratch, 'older')
  cpSync(join(root, 'edge-api/db/migrations'), folder, { recursive: true })
  const journal = join(folder, 'meta/_journal.json')
  const { entries }: { entries: unknown[] } = JSON.parse(readFileSync(journal, 'utf8'))
  writeFileSync(journal, JSON.stringify({ entries: entries.slice(0, -1) }))
  const older = await startSqld({ isMigrated: false })
  onTestFinished(older.stop)
  await applyMigrations({ url: older.url, folder })
  const file = join(scratch, 'older.sql.gz')
  await backup(older, file)
  await restore(sqld, file)
  expect(await dueMigrations(sqld)).toEqual([])
})

test('a migration begins again when the database is locked, or undid it because it took too long', async () => {
  const place = migrations('once', { '0000_birds': pair })
  const locked = { message: 'database is locked', code: 'SQLITE_BUSY' }
  const late = { message: 'Transaction timed out', code: 'TRANSACTION_TIMEOUT' }
  const result = { step_results: Array(8).fill(null), step_errors: [null, ...Array(7).fill(late)] }
  const rejections = new Map<string, unknown>([
    ['IF NOT EXISTS', { type: 'error', error: locked }],
    ['CREATE TABLE ducks', { type: 'ok', response: { type: 'batch', result } }],
  ])
  const proxy = await startProxy(sqld.url, (request) => {
    const part = [...rejections.keys()].find((words) => request.includes(words))
    if (part === undefined) return null
    const results = [rejections.get(part), { type: 'ok', response: { type: 'close' } }]
    rejections.delete(part)
    return { status: 200, body: JSON.stringify({ baton: null, base_url: null, results }) }
  })
  expect(await applyMigrations({ ...place, url: proxy.url, busyPauseMs: 0 })).toEqual([
    '0000_birds',
  ])
  expect(rejections.size).toBe(0)
  expect(await tables()).toEqual(expect.arrayContaining(['ducks', 'geese']))
})

test('a migration that fails half-way changes nothing', async () => {
  const half =
    'CREATE TABLE owls (id TEXT);\n--> statement-breakpoint\nCREATE TABLE owls (id TEXT);'
  const place = migrations('half', { '0005_owls': half })
  await expect(applyMigrations(place)).rejects.toThrow(
    'Migrating (0005_owls) failed and changed nothing',
  )
  expect(await tables()).not.toContain('owls')
})

const FLOCK = 'CREATE TABLE flock AS SELECT zeroblob(4000000)'

/** The error of migrating a database that cannot be migrated. */
async function rejection(url: string): Promise<string> {
  const { folder } = migrations('flock', { '0000_flock': FLOCK })
  const answer = await applyMigrations({ url, folder }).catch((error: unknown) => error)
  expect(answer).toBeInstanceOf(LaunchError)
  return answer instanceof Error ? answer.message : ''
}

test('an unreachable database and an unusable address each give one sentence', async () => {
  const closed = `http://127.0.0.1:${await freePort()}`
  for (const url of [closed, 'libsql://nowhere.invalid']) {
    expect(await rejection(url)).toBe(
      'Nothing was migrated: the database cannot be used: it cannot be reached. Check DATABASE_URL and the network.',
    )
  }
  expect(await rejection('nowhere')).toContain('DATABASE_URL has to be')
})

/** A separate libSQL server with these further arguments. */
async function withSqld(more: string[], look: (url: string) => Promise<void>): Promise<void> {
  const service = await runService('sqld', (port, folder) => {
    const spec = sqldSpec({
      folder: join(folder, 'data'),
      port,
      logFile: join(folder, 'log'),
    })
    return { ...spec, args: [...spec.args, ...more] }
  })
  await look(`http://127.0.0.1:${service.port}`).finally(service.stop)
}

test('a wrong token gives one sentence', async () => {
  const key = join(scratch, 'key.pem')
  const { publicKey } = generateKeyPairSync('ed25519')
  writeFileSync(key, publicKey.export({ type: 'spki', format: 'pem' }))
  await withSqld(['--auth-jwt-key-file', key], async (url) => {
    expect(await rejection(url)).toContain('it refuses the token. Set DATABASE_AUTH_TOKEN')
  })
})

test('a database that takes no writes, or is full, gives one sentence', async () => {
  const admin = `127.0.0.1:${await freePort()}`
  const limit = (limits: object) =>
    fetch(`http://${admin}/v1/namespaces/default/config`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ block_reads: false, block_writes: false, ...limits }),
    })
  await withSqld(['--admin-listen-addr', admin], async (url) => {
    await limit({ block_writes: true })
    expect(await rejection(url)).toContain('it takes no writes now.')
    await limit({ max_db_size: '1mb' })
    expect(await rejection(url)).toContain('its disk or quota is full.')
  })
})
