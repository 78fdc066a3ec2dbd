import { parentPort } from 'node:worker_threads'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../launcher/settings.ts'
import { hookLoader, loadInstead } from './loader.ts'

hookLoader()
// After the hooks, so that they are the same modules as those of the tests.
const { finishing, provided, readTests } = await import('./stand-ins/vitest.ts')
await import('./stand-ins/services.ts')
const { renewDatabases } = await import('../../tests/harness/world/memory-database.ts')

/** A test that waits longer for something waits in vain. */
const PATIENCE_MS = 60_000

/** A mutant and the tests that may notice it, or the files as they are. */
export interface Question {
  change: { file: string; text: string } | null
  guards: string
  testFiles: string[]
  /** Names of tests that go first within their file, the latest to notice something first. */
  favourites: string[]
}

/** The first test that fails, or null; and how long each file took, in milliseconds. */
export interface Answer {
  failure: { testFile: string; name: string; reason: string } | null
  took: Record<string, number>
}

parentPort?.on('message', (question: Question) => {
  void answer(question).then((found) => parentPort?.postMessage(found))
})

async function answer({ change, guards, testFiles, favourites }: Question): Promise<Answer> {
  renewDatabases({ haveNewGuards: provided.guards !== guards })
  provided.guards = guards
  loadInstead(change)
  const took: Answer['took'] = {}
  for (const testFile of testFiles) {
    const begun = performance.now()
    const failure = await firstFailure(testFile, favourites)
    took[testFile] = performance.now() - begun
    if (failure !== null) return { failure: { testFile, ...failure }, took }
    // A sign of life.
    parentPort?.postMessage(null)
  }
  return { failure: null, took }
}

async function firstFailure(testFile: string, favourites: readonly string[]) {
  let name = 'is read'
  try {
    const file = await readTests(() => import(pathToFileURL(join(root, testFile)).href))
    const place = (test: { name: string }) => favourites.indexOf(test.name) + 1 || Infinity
    try {
      for (const work of file.beforeAll) await work()
      for (const test of file.tests.toSorted((a, b) => place(a) - place(b) || 0)) {
        ;({ name } = test)
        for (const work of file.beforeEach) await work()
        await inTime(test.body)
        for (const work of file.afterEach) await work()
        for (const work of finishing.splice(0)) await work()
      }
    } finally {
      finishing.length = 0
      for (const work of file.afterAll) await work()
    }
    return null
  } catch (error) {
    return { name, reason: String(error) }
  }
}

async function inTime(work: () => unknown): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('took too long')), PATIENCE_MS)
  })
  try {
    await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}
