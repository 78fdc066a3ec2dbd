import { parentPort } from 'node:worker_threads'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../launcher/settings.ts'
import type { TestFile } from './stand-ins/vitest.ts'
import { type Place, startCoverage } from './coverage.ts'
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
  /** Tests in the order in which they run: of each file all, or those of these names. */
  runs: { testFile: string; names: string[] | null }[]
  /** Places of the code: the answer says which tests came by each. */
  places: Place[]
}

/** The first test that fails, or null; and of each test that ran how long it took and what it came by. */
export interface Answer {
  failure: { testFile: string; name: string; reason: string } | null
  ran: Ran[]
}

export interface Ran {
  testFile: string
  name: string
  tookMs: number
  /** Indices of the question's places. */
  cameBy: number[]
}

parentPort?.on('message', (question: Question) => {
  void answer(question).then((found) => parentPort?.postMessage(found))
})

async function answer({ change, guards, runs, places }: Question): Promise<Answer> {
  renewDatabases({ haveNewGuards: provided.guards !== guards })
  provided.guards = guards
  loadInstead(change)
  const coverage = places.length > 0 ? startCoverage(places) : null
  const ran: Ran[] = []
  files.clear()
  for (const { testFile, names } of runs) {
    const failure = await firstFailure(testFile, names, {
      // What a module does once, when it is loaded, no test comes by.
      onRead: () => coverage?.sinceLast(),
      report: (name, tookMs) => {
        ran.push({ testFile, name, tookMs, cameBy: coverage?.sinceLast() ?? [] })
      },
    })
    if (failure !== null) return { failure: { testFile, ...failure }, ran }
    // A sign of life.
    parentPort?.postMessage(null)
  }
  coverage?.stop()
  return { failure: null, ran }
}

interface Watch {
  onRead: () => void
  report: (name: string, tookMs: number) => void
}

/** The test files that were read since the last question: a second import of one would find it loaded and read nothing. */
const files = new Map<string, TestFile>()

async function fileOf(testFile: string): Promise<TestFile> {
  const read = () => readTests(() => import(pathToFileURL(join(root, testFile)).href))
  const file = files.get(testFile) ?? (await read())
  files.set(testFile, file)
  return file
}

async function firstFailure(
  testFile: string,
  names: readonly string[] | null,
  { onRead, report }: Watch,
) {
  let name = 'is read'
  try {
    const file = await fileOf(testFile)
    onRead()
    try {
      for (const work of file.beforeAll) await work()
      for (const test of ordered(file.tests, names)) {
        const begun = performance.now()
        ;({ name } = test)
        for (const work of file.beforeEach) await work()
        await inTime(test.body)
        for (const work of file.afterEach) await work()
        for (const work of finishing.splice(0)) await work()
        report(name, performance.now() - begun)
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

function ordered<Test extends { name: string }>(tests: Test[], names: readonly string[] | null) {
  if (names === null) return tests
  return names.flatMap((name) => tests.filter((test) => test.name === name))
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
