import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../../tests/harness/scratch-folder.ts'
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

test('a file in the place of the data folder, of its parent or of its logs is said in one line', () => {
  const scratch = scratchFolder('data-folder')
  onTestFinished(scratch.remove)
  const file = join(scratch.path, 'file')
  writeFileSync(file, '')
  const folder = join(scratch.path, 'folder')
  mkdirSync(folder)
  writeFileSync(join(folder, 'log'), '')
  const advice = 'or choose another folder: DATA_DIR=.data-2 npm start'
  const start = (path: string) => `Nothing can be stored in ${path}: `
  expect(refused(file)).toContain(`${start(file)}there is a file of that name.`)
  expect(refused(file)).toContain(advice)
  expect(refused(join(file, 'data'))).toContain('a part of that path is a file')
  expect(refused(folder)).toContain(`${start(join(folder, 'log'))}there is a file of that name.`)
})

test('a folder that is not there yet is made, with one for the logs', () => {
  const scratch = scratchFolder('data-folder')
  onTestFinished(scratch.remove)
  const folder = join(scratch.path, 'a/b')
  prepareDataFolder(folder)
  expect(existsSync(join(folder, 'log'))).toBe(true)
})

test('only one copy at a time runs on a folder, and others learn its address and its database', () => {
  const scratch = scratchFolder('data-folder')
  onTestFinished(scratch.remove)
  const copy = (port: number) => ({
    address: `http://localhost:${port}`,
    databaseUrl: `http://127.0.0.1:${port + 1}`,
  })
  const lock = lockDataFolder(scratch.path, copy(1))
  expect(() => lockDataFolder(scratch.path, copy(3))).toThrow(
    `Already running at http://localhost:1 (process ${process.pid}). Stop it there`,
  )
  expect(databaseOfRunningCopy(scratch.path)).toBe('http://127.0.0.1:2')
  lock.close()
  expect(databaseOfRunningCopy(scratch.path)).toBeNull()
  lockDataFolder(scratch.path, copy(3)).close()
})
