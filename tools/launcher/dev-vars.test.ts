import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileFolder } from '../../tests/harness/test-folder.ts'
import { LaunchError } from './bootstrap/launch-error.mjs'
import { readOptional, readSecrets, writeAddresses } from './dev-vars.ts'

const folder = fileFolder('secrets')

test('secrets are made once, at random, for their owner alone', () => {
  const first = readSecrets(join(folder, 'a'))
  expect(first.JWT_SECRETS).toMatch(/^k1:[\w-]{64}$/)
  expect(readSecrets(join(folder, 'a'))).toEqual(first)
  expect(readSecrets(join(folder, 'b')).JWT_SECRETS).not.toBe(first.JWT_SECRETS)
  expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o600)
})

test('lines that a developer wrote into the file stay', () => {
  const file = join(folder, 'own')
  writeFileSync(file, 'RAZORPAY_KEY_SECRET="mine"\nOTHER=1')
  expect(readSecrets(file).RAZORPAY_KEY_SECRET).toBe('mine')
  expect(readFileSync(file, 'utf8')).toContain('OTHER=1\n')
})

test('a secret added to an existing file is reported, and a folder in its place stops the start', () => {
  const lines: string[] = []
  const file = join(folder, 'emptied')
  readSecrets(file, (line) => lines.push(line))
  expect(lines).toEqual([])
  writeFileSync(file, 'RAZORPAY_KEY_SECRET="mine"')
  readSecrets(file, (line) => lines.push(line))
  expect(lines).toEqual([
    'emptied had no JWT_SECRETS, TRIAL_SECRET, RAZORPAY_KEY_ID, RAZORPAY_WEBHOOK_SECRETS: created them.',
  ])
  expect(() => readSecrets(folder)).toThrow(LaunchError)
})

test('optional variables come from the file or, for one start, from the environment', () => {
  const file = join(folder, 'drill')
  writeFileSync(file, 'HEARTBEAT_URL="http://localhost:1"\nOTHER=1\n')
  const ALARM_WEBHOOK_URL = 'http://localhost:2'
  const found = readOptional(file, { ALARM_WEBHOOK_URL })
  expect(found).toEqual({ HEARTBEAT_URL: 'http://localhost:1', ALARM_WEBHOOK_URL })
  expect(readOptional(join(folder, 'none'), {})).toEqual({})
})

test('the addresses of a start replace those of the last, and what a person wrote stays', () => {
  const file = join(folder, 'addresses')
  writeFileSync(file, '# mine\nJWT_SECRETS="k1:x"\nDATABASE_URL="http://127.0.0.1:1"\n')
  for (const port of [2, 3]) writeAddresses(file, { DATABASE_URL: `http://127.0.0.1:${port}` })
  expect(readFileSync(file, 'utf8')).toBe(
    '# mine\nJWT_SECRETS="k1:x"\nDATABASE_URL="http://127.0.0.1:3"\n',
  )
})
