import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../../tests/harness/test-folder.ts'
import { freePort } from './ports.ts'
import { startService } from './service.ts'
import { sqldSpec } from './sqld.ts'

test('files that are not a database are named, with what to do about them', async () => {
  const scratch = testFolder('sqld')
  const folder = join(scratch, 'data')
  mkdirSync(join(folder, 'metastore'), { recursive: true })
  writeFileSync(join(folder, 'metastore/data'), 'spoilt '.repeat(1_000))
  const port = await freePort()
  const logFile = join(scratch, 'sqld.log')
  await expect(startService(sqldSpec({ folder, port, logFile }))).rejects.toThrow(
    `The database server ended with 1. It said: Error code 26: File opened that is not a database file (all of it: ${logFile}). Its files in ${folder} are damaged: put them back`,
  )
})
