import { afterAll, onTestFinished } from 'vitest'
import { scratchFolder } from './scratch-folder.ts'

/** A folder for the test that asks for it. */
export function testFolder(name: string): string {
  const { path, remove } = scratchFolder(name)
  onTestFinished(remove)
  return path
}

/** A folder for the tests of a file. */
export function fileFolder(name: string): string {
  const { path, remove } = scratchFolder(name)
  afterAll(remove)
  return path
}
