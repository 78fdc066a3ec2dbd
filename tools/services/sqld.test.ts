import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@libsql/client/web'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../../tests/harness/scratch-folder.ts'
import { startSqld } from '../../tests/harness/services.ts'
import { root } from '../launcher/settings.ts'
import { freePort } from './ports.ts'
import { startService } from './service.ts'
import { sqldSpec } from './sqld.ts'

const ROWS = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
  INSERT INTO rows SELECT randomblob(4000) FROM n`

test('the writer of the last page of a long log does not checkpoint it', async () => {
  const sqld = await startSqld({ isMigrated: false })
  onTestFinished(sqld.stop)
  const client = createClient({ url: sqld.url })
  await client.batch(['CREATE TABLE rows (content BLOB)', ROWS], 'write')
  await client.batch(['INSERT INTO rows VALUES (1)'], 'write')
  const database = join(sqld.folder, 'data/dbs/default')
  expect(statSync(join(database, 'data-wal')).size).toBeGreaterThan(8_000_000)
  expect(statSync(join(database, 'data')).size).toBeLessThan(100_000)
})

test('files that are not a database are named, with what to do about them', async () => {
  const scratch = scratchFolder('sqld')
  onTestFinished(scratch.remove)
  const folder = join(scratch.path, 'data')
  mkdirSync(join(folder, 'metastore'), { recursive: true })
  writeFileSync(join(folder, 'metastore/data'), 'spoilt '.repeat(1_000))
  const port = await freePort()
  const logFile = join(scratch.path, 'sqld.log')
  await expect(startService(sqldSpec({ root, folder, port, logFile }))).rejects.toThrow(
    `The database server ended with 1. It said: Error code 26: File opened that is not a database file (all of it: ${logFile}). Its files in ${folder} are damaged: put them back`,
  )
})
