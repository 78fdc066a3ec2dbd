import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../launcher/settings.ts'
import { DAILY, dueCrons, EVERY_MINUTE } from './cron.ts'

test('one cron line is due each minute, the other at 03:17 UTC alone', () => {
  expect(dueCrons(new Date('2026-11-21T03:16:59Z'))).toEqual([EVERY_MINUTE])
  expect(dueCrons(new Date('2026-11-21T03:17:00Z'))).toEqual([EVERY_MINUTE, DAILY])
  expect(dueCrons(new Date('2026-11-21T15:17:00Z'))).toEqual([EVERY_MINUTE])
})

test('these are the cron lines that are deployed', () => {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  expect(read('wrangler.toml')).toContain(`crons = ["${EVERY_MINUTE}", "${DAILY}"]`)
  expect(read('edge-api/worker.ts')).toContain(`DAILY_CRON = '${DAILY}'`)
})
