import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@libsql/client/http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startSqld, type Sqld } from '../../tests/harness/services.ts'
import { applyMigrations } from './migrate.ts'

let scratch: string
let sqld: Sqld
beforeEach(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'sotto-migrations-'))
  sqld = await startSqld({ isMigrated: false })
})
afterEach(async () => {
  await sqld.stop()
  rmSync(scratch, { recursive: true })
})

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

test('a migration that was applied and then edited is refused', async () => {
  await applyMigrations(migrations('once', { '0000_birds': pair }))
  const place = migrations('edited', { '0000_birds': `${pair} ` })
  await expect(applyMigrations(place)).rejects.toThrow(
    '0000_birds was applied to this database and edited',
  )
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
