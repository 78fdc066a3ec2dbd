import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../launcher/settings.ts'

// Releases migrate first and deploy second (docs/runbook.md), so each migration runs under the previous Worker.

/** The migrations before the first deployment, which no running Worker could notice. */
const FIRST_RELEASE = ['0000_base']

/** The statements that a Worker built before the migration does not notice: they only add. */
const ADDS = /^(CREATE (TABLE|INDEX)|ALTER TABLE \S+ ADD|INSERT INTO) /i

/** Statements that can break the writes or reads of the deployed Worker. A comment must say why it works with them. */
const NARROWS =
  /^(CREATE (?:UNIQUE INDEX \S+|TRIGGER [^;]*?) ON|UPDATE|DELETE FROM|DROP \w+|ALTER TABLE(?= \S+ DROP)) (\S+)/i
const REASON = /^\s*-- Safe with the deployed Worker: .{20,}$/m

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

const hint = (tag: string) =>
  `${tag}.sql changes what the deployed Worker uses. Where that is fine, put a line "-- Safe with the deployed Worker: …" with the reason above the statement`

test('every migration only adds, or says why the deployed Worker keeps working', () => {
  const folder = join(root, 'edge-api/db/migrations')
  const journal: { entries: { tag: string }[] } = JSON.parse(
    readFileSync(join(folder, 'meta/_journal.json'), 'utf8'),
  )
  for (const { tag } of journal.entries.filter(({ tag }) => !FIRST_RELEASE.includes(tag))) {
    expect(offences(readFileSync(join(folder, `${tag}.sql`), 'utf8')), hint(tag)).toEqual([])
  }
})

test("only the last of drizzle-kit's snapshots, 4,000 lines each, is kept: delete the earlier ones", () => {
  const files = readdirSync(join(root, 'edge-api/db/migrations/meta'))
  expect(files.filter((file) => file.endsWith('_snapshot.json'))).toHaveLength(1)
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

test('a statement that narrows the schema is allowed with a reason, so that a release can clean up; one that breaks the deployed Worker is not', () => {
  const reason = '-- Safe with the deployed Worker: unused since the release of May.'
  const found = [...narrowing, ...breaking].filter(
    (statement) => offences(among(statement, reason)).length > 0,
  )
  expect(found).toEqual(breaking)
})
