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

/** The migrations before the first deployment, which no running Worker could notice. */
const FIRST_RELEASE = ['0000_base', '0001_guards']

/** The statements that a Worker built before the migration does not notice: they only add. */
const ADDS = /^(CREATE (TABLE|INDEX)|ALTER TABLE \S+ ADD|INSERT INTO) /i

/** Statements that can break the writes or reads of the deployed Worker. A comment must say why it works with them. */
const NARROWS =
  /^(CREATE (?:UNIQUE INDEX \S+|TRIGGER [^;]*?) ON|UPDATE|DELETE FROM|DROP \w+|ALTER TABLE(?= \S+ DROP)) (\S+)/i
const REASON = /^\s*-- The deployed Worker bears this: .{20,}$/m

function offences(migration: string): string[] {
  const created = [...migration.matchAll(/^CREATE TABLE (\S+)/gim)].map(([, table]) => table)
  return migration.split('--> statement-breakpoint').filter((commented) => {
    const statement = commented.replaceAll(/^\s*--.*$/gm, '').trim()
    if (statement === '') return false
    if (ADDS.test(statement)) {
      return /^ALTER .* NOT NULL/i.test(statement) && !/ DEFAULT /i.test(statement)
    }
    const narrowed = NARROWS.exec(statement)
    if (narrowed === null) return true
    return !REASON.test(commented) && !created.includes(narrowed[2])
  })
}

test('every migration only adds, or says why the deployed Worker keeps working', () => {
  const folder = join(root, 'edge-api/db/migrations')
  const journal: { entries: { tag: string }[] } = JSON.parse(
    readFileSync(join(folder, 'meta/_journal.json'), 'utf8'),
  )
  for (const { tag } of journal.entries.filter(({ tag }) => !FIRST_RELEASE.includes(tag))) {
    expect(offences(readFileSync(join(folder, `${tag}.sql`), 'utf8')), tag).toEqual([])
  }
})

const narrowing = [
  'DROP TABLE `users`',
  'DROP INDEX `sessions_user`',
  'ALTER TABLE `users` DROP COLUMN `bio`',
  'CREATE UNIQUE INDEX `users_phone` ON `users` (`phone`)',
  'CREATE TRIGGER `guard` BEFORE INSERT ON `users` BEGIN SELECT 1; END',
  "UPDATE `users` SET bio = ''",
  'DELETE FROM `users`',
]
const breaking = [
  'ALTER TABLE `users` RENAME COLUMN `bio` TO `about`',
  'ALTER TABLE `users` ADD `nick` text NOT NULL',
]
const among = (statement: string, comment: string) =>
  `-- why\nCREATE INDEX a ON b (c);\n--> statement-breakpoint\n${comment}\n${statement};`

test.each([...narrowing, ...breaking])('the check finds "%s"', (statement) => {
  expect(offences(among(statement, '-- tidy'))).toHaveLength(1)
})

const REASONED = '-- The deployed Worker bears this: unused since the release of May.'

test.each(narrowing)('"%s" may come with a reason, so that a release can clean up', (statement) => {
  expect(offences(among(statement, REASONED))).toEqual([])
})

test.each(breaking)('no reason makes up for "%s"', (statement) => {
  expect(offences(among(statement, REASONED))).toHaveLength(1)
})

test('a table that the same migration creates may have any index and trigger', () => {
  const table = 'CREATE TABLE `geese` (`id` text);\n--> statement-breakpoint\n'
  expect(offences(`${table}CREATE UNIQUE INDEX \`goose\` ON \`geese\` (\`id\`);`)).toEqual([])
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
