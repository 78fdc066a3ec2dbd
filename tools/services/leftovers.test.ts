import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { endLeftovers, isStillRunning, readRunRecord, writeRunRecord } from './leftovers.ts'
import { isAlive } from './process-list.ts'

const folder = mkdtempSync(join(tmpdir(), 'sotto-leftovers-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

function startDetached(...args: string[]): number {
  const body = 'setInterval(() => {}, 1000)'
  const child = spawn(process.execPath, ['--eval', body, ...args], {
    detached: true,
    stdio: 'ignore',
  })
  return child.pid ?? 0
}

const record = { launcher: 999_999, address: 'http://localhost:1' }

test('what an earlier run left is ended only when its command names our place', async () => {
  const ours = startDetached(`${folder}/database`)
  const others = startDetached('/somewhere/else')
  const groups = { database: ours, site: others }
  expect(await endLeftovers({ ...record, groups }, [`${folder}/`])).toEqual(['database'])
  expect(isAlive(others)).toBe(true)
  process.kill(others)
})

test('a record survives being written and read; half a file counts as none', () => {
  const file = join(folder, 'run.json')
  expect(readRunRecord(file)).toBeUndefined()
  writeRunRecord(file, { ...record, groups: { site: 12 } })
  expect(readRunRecord(file)).toEqual({ ...record, groups: { site: 12 } })
  writeFileSync(file, '{"launcher": 1')
  expect(readRunRecord(file)).toBeUndefined()
})

test('a process of the same number that is no launcher does not count as running', () => {
  expect(isStillRunning({ ...record, launcher: process.pid, groups: {} })).toBe(false)
  expect(isStillRunning({ ...record, groups: {} })).toBe(false)
})
