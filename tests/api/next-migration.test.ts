import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyMigrations } from '../../tools/services/migrate.ts'
import { root } from '../../tools/launcher/settings.ts'
import { createMember } from '../harness/member.ts'
import { scratchFolder } from '../harness/scratch-folder.ts'
import { type Site, startSite } from '../harness/services.ts'
import { database } from '../harness/stored.ts'
import { newVisitor } from '../harness/visitor.ts'

// Releases migrate first and deploy second (docs/runbook.md), so each migration runs under the previous Worker.

const state: { site?: Site } = {}
beforeAll(async () => {
  state.site = await startSite()
})
afterAll(() => state.site?.stop())

/** The statements that a Worker built before the migration tolerates: they only add. */
const ADDS = /^(CREATE (TABLE|(UNIQUE )?INDEX|TRIGGER)|ALTER TABLE \S+ ADD|INSERT INTO|UPDATE) /

function offences(migration: string): string[] {
  return migration
    .split('--> statement-breakpoint')
    .map((statement) => statement.replaceAll(/^\s*--.*$/gm, '').trim())
    .filter((statement) => statement !== '')
    .filter(
      (statement) =>
        !ADDS.test(statement) ||
        (/^ALTER .* NOT NULL/i.test(statement) && !/ DEFAULT /i.test(statement)),
    )
}

test('every migration only adds, so that the deployed Worker keeps working', () => {
  const folder = join(root, 'edge-api/db/migrations')
  const journal: { entries: { tag: string }[] } = JSON.parse(
    readFileSync(join(folder, 'meta/_journal.json'), 'utf8'),
  )
  for (const { tag } of journal.entries) {
    expect(offences(readFileSync(join(folder, `${tag}.sql`), 'utf8')), tag).toEqual([])
  }
})

test.each([
  'DROP TABLE `users`',
  'ALTER TABLE `users` DROP COLUMN `bio`',
  'ALTER TABLE `users` RENAME COLUMN `bio` TO `about`',
  'ALTER TABLE `users` ADD `nick` text NOT NULL',
  'DROP INDEX `sessions_user`',
])('the check finds "%s"', (statement) => {
  expect(
    offences(`-- why\nCREATE INDEX a ON b (c);\n--> statement-breakpoint\n${statement};`),
  ).toHaveLength(1)
})

/** Writes a migration like one of a next release: a new column in every table, and a new table. */
async function writeNextMigration(databaseUrl: string) {
  const db = database(databaseUrl)
  const [tables] = await db.batch([
    db.all<{ name: string }>(sql`
      SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
        AND name NOT LIKE 'libsql_%' AND name NOT LIKE '\\_%' ESCAPE '\\'`),
  ])
  const { path, remove } = scratchFolder('next-migration')
  const columns = tables.map(
    ({ name }) => `ALTER TABLE \`${name}\` ADD \`next_release\` text DEFAULT 'x' NOT NULL`,
  )
  const statements = [...columns, 'CREATE TABLE `next_release` (`id` text PRIMARY KEY NOT NULL)']
  mkdirSync(join(path, 'meta'))
  writeFileSync(join(path, 'meta/_journal.json'), '{"entries":[{"tag":"9999_next"}]}')
  writeFileSync(join(path, '9999_next.sql'), statements.join(';\n--> statement-breakpoint\n'))
  return { folder: path, remove, tables: tables.length }
}

test('no call fails while the next migration is applied', async () => {
  const { site } = state
  if (site === undefined) throw new Error('the site did not start')
  const [siteUrl, databaseUrl] = [site.worker.url, site.sqld.url]
  const member = await createMember({ siteUrl, databaseUrl, hasPlan: true })
  let round = 0
  /** Calls that together read and write most tables. */
  const calls = () => {
    const username = `x6_${(round += 1)}`
    const password = 'Quiet-Otter-42'
    const person = { username, email: `${username}@example.test`, password }
    const ticket = { email: person.email, query: 'Hello' }
    const order = { planType: 'pro' }
    return Promise.all([
      newVisitor(siteUrl).call('/api/auth/register', {
        json: { ...person, confirmPassword: password },
      }),
      newVisitor(siteUrl).call('/api/support/submit', { json: ticket }),
      newVisitor(siteUrl).call('/api/device/code', { json: {} }),
      member.call('/api/auth/me'),
      member.call('/api/auth/export'),
      member.call('/api/payment/purchases'),
      member.call('/api/subscription/use-tokens', { json: { amount: 1 } }),
      createMember({ siteUrl, databaseUrl }).then((buyer) =>
        buyer.call('/api/payment/create-order', { json: order }),
      ),
    ])
  }
  const statuses = async () => (await calls()).map(({ status }) => status)
  const fine = Array.from({ length: 8 }, () => 200)
  expect(await statuses()).toEqual(fine)
  const next = await writeNextMigration(databaseUrl)
  expect(next.tables).toBeGreaterThan(12)
  const applied = applyMigrations({ url: databaseUrl, folder: next.folder })
  expect(await statuses()).toEqual(fine)
  expect(await applied).toEqual(['9999_next'])
  expect(await statuses()).toEqual(fine)
  next.remove()
})
