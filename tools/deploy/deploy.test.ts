import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listenInTest } from '../../tests/harness/listen.ts'
import { startSqld } from '../../tests/harness/services.ts'
import { testFolder } from '../../tests/harness/test-folder.ts'
import { newBackupKey } from '../ops/encrypted.ts'
import { backUpInto } from './back-up.ts'
import { deploy } from './deploy.ts'
import { readSecretsFile, withoutKeys } from './environment.ts'
import { smokeTest } from './smoke-test.ts'

test('a backup before a deployment is encrypted, and the oldest of its environment go, as do those of more than a year ago', async () => {
  const sqld = await startSqld()
  onTestFinished(sqld.stop)
  const folder = testFolder('backups')
  const older = Array.from({ length: 12 }, (_, day) => `production-2026-01-${day + 10}.sql.gz.age`)
  const interrupted = 'production-2026-01-31.sql.gz.age.partial'
  for (const name of [...older, interrupted, 'staging-2026-01-01.sql.gz'])
    writeFileSync(join(folder, name), '')
  const production = { name: 'production', secrets: { DATABASE_URL: sqld.url } }
  const now = new Date('2026-02-01T00:00:00Z')
  const file = await backUpInto(folder, production, await newBackupKey(), now)
  expect(file).toMatch(/\.sql\.gz\.age$/)
  expect(readFileSync(file, 'latin1')).toContain('age-encryption.org/v1')
  const staging = 'staging-2026-01-01.sql.gz'
  const kept = () => readdirSync(folder).toSorted()
  expect(kept()).toEqual([...older.slice(-9), basename(file), staging])
  const later = new Date('2027-01-20T00:00:00Z')
  const next = await backUpInto(folder, production, await newBackupKey(), later)
  expect(kept()).toEqual([older.at(-1), basename(file), basename(next), staging])
})

test('a hotfix without a reason is none', async () => {
  const words = ['--env', 'staging', '--dry-run', '--hotfix']
  for (const blank of ['', ' '])
    await expect(deploy([...words, blank])).rejects.toThrow('--hotfix needs a reason')
})

test('a file of secrets that others can read is closed to them', () => {
  const file = join(testFolder('secrets'), 'staging.env')
  writeFileSync(file, 'TRIAL_SECRET=abc\n', { mode: 0o644 })
  expect(readSecretsFile(file)).toEqual({ TRIAL_SECRET: 'abc' })
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('tests and builds run without the keys of a deployment, which has them again afterwards', async () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('CLOUDFLARE_API_TOKEN', 'a-token')
  const seen: unknown[] = []
  const failing = withoutKeys(async () => {
    seen.push(process.env['CLOUDFLARE_API_TOKEN'])
    await Promise.reject(new Error('red'))
  })
  await expect(failing).rejects.toThrow('red')
  expect([...seen, process.env['CLOUDFLARE_API_TOKEN']]).toEqual([undefined, 'a-token'])
})

test('the smoke test waits for a site that is becoming healthy', async () => {
  let asked = 0
  const headers = {
    'Strict-Transport-Security': 'max-age=1',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    'Content-Security-Policy': "default-src 'self'",
  }
  const statuses: Record<string, number> = { '/none': 302, '/_astro/none.js': 404, '/admin': 404 }
  const server = createServer(({ url = '' }, response) => {
    if (url === '/api/health') asked += 1
    const isDown = url === '/api/health' && asked === 1
    response.writeHead(isDown ? 503 : (statuses[url] ?? 200), headers).end()
  })
  expect(await smokeTest(await listenInTest(server), { patienceMs: 60_000, pauseMs: 0 })).toEqual(
    [],
  )
  expect(asked).toBe(2)
})
