import { expect, type ProvidedContext } from 'vitest'

export { expect }

/** As vitest's, which works only within its own runner. */
Object.assign(expect, { poll })

const POLLS_MAX = 500

function poll(work: () => unknown): object {
  const matcherNamed =
    (name: string | symbol) =>
    async (...given: unknown[]) => {
      for (let polls = 1; ; polls += 1) {
        try {
          const found = expect(await work())
          return Reflect.apply(Reflect.get(found, name), found, given)
        } catch (error) {
          if (polls === POLLS_MAX) throw error
          await new Promise((resolve) => setTimeout(resolve, 10))
        }
      }
    }
  return new Proxy({}, { get: (_, name) => matcherNamed(name) })
}

type Work = () => unknown

/** A test file as it was read: what it does around its tests, and these. */
export interface TestFile {
  beforeAll: Work[]
  beforeEach: Work[]
  afterEach: Work[]
  afterAll: Work[]
  tests: { name: string; body: Work }[]
}

/** What takes the place of `inject` from vitest's set-up. */
export const provided: Partial<ProvidedContext> = { databaseUrl: 'memory:' }

/** Run after the test that is running. */
export const finishing: Work[] = []

let reading = emptyFile()

function emptyFile(): TestFile {
  return { beforeAll: [], beforeEach: [], afterEach: [], afterAll: [], tests: [] }
}

/** Reads a test file by importing it. */
export async function readTests(importFile: () => Promise<unknown>): Promise<TestFile> {
  reading = emptyFile()
  await importFile()
  return reading
}

export function test(name: string, body: Work): void {
  reading.tests.push({ name, body })
}

/** As in vitest: an entry that is a list is the arguments, any other is the only one. */
test.each =
  (entries: readonly unknown[]) => (name: string, body: (...given: unknown[]) => unknown) => {
    for (const [index, entry] of entries.entries()) {
      const given: readonly unknown[] = Array.isArray(entry) ? entry : [entry]
      test(`${name} (${index + 1})`, () => body(...given))
    }
  }

export const beforeAll = (work: Work) => reading.beforeAll.push(work)
export const beforeEach = (work: Work) => reading.beforeEach.push(work)
export const afterEach = (work: Work) => reading.afterEach.push(work)
export const afterAll = (work: Work) => reading.afterAll.push(work)
export const onTestFinished = (work: Work) => finishing.push(work)

export function inject<Key extends keyof ProvidedContext>(
  key: Key,
): ProvidedContext[Key] | undefined {
  return provided[key]
}
