import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { days } from '../../edge-api/domain/time.ts'
import { listenInTest } from '../../tests/harness/listen.ts'
import { testFolder } from '../../tests/harness/test-folder.ts'
import { staleBackups } from './nightly-backup.ts'

const NIGHTLY = Date.parse('2026-11-25T02:17:00Z')
const nameOf = (date: Date) => `${date.toISOString().slice(0, 19).replaceAll(':', '-')}Z.sql.gz.age`

test('after 500 nights, the newest backups of 7 days, 5 weeks and 12 months are kept', () => {
  let names = ['notes.txt']
  const dates = Array.from({ length: 500 }, (_, night) => new Date(NIGHTLY + days(night)))
  for (const date of dates) {
    names.push(nameOf(date))
    const stale = staleBackups(names, date)
    names = names.filter((name) => !stale.includes(name))
  }
  const kept = names.slice(1).map((name) => name.slice(0, 10))
  // The last night is a Friday's.
  expect(kept.join(' ')).toBe(
    '2027-05-31 2027-06-30 2027-07-31 2027-08-31 2027-09-30 2027-10-31 2027-11-30 2027-12-31 2028-01-31 2028-02-29 ' +
      '2028-03-12 2028-03-19 2028-03-26 2028-03-31 2028-04-01 2028-04-02 2028-04-03 2028-04-04 2028-04-05 2028-04-06 2028-04-07',
  )
  expect(names[0]).toBe('notes.txt')
})

test('a night that is ended leaves nothing readable behind', async () => {
  const TMPDIR = testFolder('night')
  // A database that never answers.
  const server = createServer()
  const asked = once(server, 'request')
  const DATABASE_URL = await listenInTest(server)
  const keys = { BACKUP_ACCESS_KEY_ID: 'a', BACKUP_SECRET_ACCESS_KEY: 'b', BACKUP_KEY: 'c' }
  const env = {
    ...process.env,
    TMPDIR,
    DATABASE_URL,
    BACKUP_STORE: 'https://store.test/b',
    ...keys,
  }
  const module = new URL('nightly-backup.ts', import.meta.url).href
  const code = `(await import('${module}')).nightlyBackup(process.env)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { env })
  onTestFinished(() => void child.kill('SIGKILL'))
  await asked
  expect(readdirSync(TMPDIR)).toHaveLength(1)
  child.kill('SIGTERM')
  await once(child, 'exit')
  expect(readdirSync(TMPDIR)).toEqual([])
})
