import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../../tests/harness/test-folder.ts'
import { LaunchError } from './bootstrap/launch-error.mjs'
import { databaseOfRunningCopy, lockDataFolder, prepareDataFolder } from './data-folder.ts'

function refused(dataDir: string): string {
  try {
    prepareDataFolder(dataDir)
  } catch (error) {
    if (error instanceof LaunchError) return error.message
    throw error
  }
  return 'nothing was refused'
}

test('a file in place of the data folder, its parent or its logs is reported in one line', () => {
  const scratch = testFolder('data-folder')
  const file = join(scratch, 'file')
  writeFileSync(file, '')
  const folder = join(scratch, 'folder')
  mkdirSync(folder)
  writeFileSync(join(folder, 'log'), '')
  const advice = 'or choose another folder: DATA_DIR=.data-2 npm start'
  const start = (path: string) => `Nothing can be stored in ${path}: `
  expect(refused(file)).toContain(`${start(file)}there is a file of that name.`)
  expect(refused(file)).toContain(advice)
  expect(refused(join(file, 'data'))).toContain('a part of that path is a file')
  expect(refused(folder)).toContain(`${start(join(folder, 'log'))}there is a file of that name.`)
})

test('a missing folder is created, with one for the logs', () => {
  const scratch = testFolder('data-folder')
  const folder = join(scratch, 'a/b')
  prepareDataFolder(folder)
  expect(existsSync(join(folder, 'log'))).toBe(true)
})

test('only one copy at a time runs on a folder, and others learn its address and its database', () => {
  const scratch = testFolder('data-folder')
  const copy = (port: number) => ({
    address: `http://localhost:${port}`,
    databaseUrl: `http://127.0.0.1:${port + 1}`,
  })
  const lock = lockDataFolder(scratch, copy(1))
  expect(() => lockDataFolder(scratch, copy(3))).toThrow(
    `Already running at http://localhost:1 (process ${process.pid}). Stop it there`,
  )
  expect(databaseOfRunningCopy(scratch)).toBe('http://127.0.0.1:2')
  lock.close()
  expect(databaseOfRunningCopy(scratch)).toBeNull()
  lockDataFolder(scratch, copy(3)).close()
})
