import { basename } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Mutant } from './mutant.ts'
import type { Answer, Question, Ran } from './trial-worker.ts'

/** What tests say to a mutant: the first that fails, or null when none does. */
export interface Trial {
  killer: (mutant: Mutant) => Promise<string | null>
  close: () => Promise<void>
}

/** Of tests that may notice a mutant, those that take less go first. */
const QUICK_MS = 10
/** What a likely test counts of the time it takes. */
const LIKELY = 0.2

/** Each mutant leaves its modules in the memory of its thread. */
const MUTANTS_PER_THREAD = 100

/** A mutant whose tests of one file run for longer runs for ever. */
const SILENT_MS = 240_000

/**
 * Starts a thread in which tests meet one mutant after the other. No file of the tree ever changes. First all tests run
 * without any mutant, which also tells which of them come by which mutant: these alone meet it. Throws when a test fails
 * there: it must not be taken for one that notices them all.
 */
export async function openTrial(
  guards: string,
  mutants: readonly Mutant[],
  testFiles: readonly string[],
): Promise<Trial> {
  const everything = testFiles.map((testFile) => ({ testFile, names: null }))
  const places = mutants.map(({ file, start }) => ({ file, start }))
  let worker = open()
  let met = 0

  const asIs = await ask({ change: null, guards, runs: everything, places })
  if (asIs.failure !== null) {
    await worker.terminate()
    const { testFile, name, reason } = asIs.failure
    throw new Error(`without any mutant, this test fails: ${testFile}: ${name}: ${reason}`)
  }
  /** What noticed the latest mutants, the latest first: the likeliest to notice the next. */
  let favourites: Ran[] = []

  function open(): Worker {
    // The same histories for each mutant. One that forgets the emulator's address reaches nobody.
    const env = { ...process.env, HISTORY: '1', HISTORIES: '8', HTTPS_PROXY: 'http://127.0.0.1:9' }
    return new Worker(new URL('trial-worker.ts', import.meta.url), { env, stdout: true })
  }

  function ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const wait = () => {
        clearTimeout(timer)
        timer = setTimeout(() => reject(new Silence()), SILENT_MS)
      }
      wait()
      worker.removeAllListeners()
      worker.once('error', reject)
      worker.on('message', (answer: Answer | null) => {
        if (answer === null) return wait()
        clearTimeout(timer)
        resolve(answer)
      })
      worker.postMessage(question)
    })
  }

  /**
   * Those that come by the mutant, the likely and quick ones first; all when it is part of what a module does once. What only
   * one comes by may be remembered for the next ones, so those that come by its file count too.
   */
  function runsFor(mutant: Mutant): Question['runs'] {
    const place = mutants.indexOf(mutant)
    const own = `${basename(mutant.file, '.ts')}.`
    const comeBy = asIs.ran.filter(({ cameBy }) => cameBy.includes(place))
    const comeByFile = () =>
      asIs.ran.filter(({ cameBy }) => cameBy.some((index) => places[index]?.file === mutant.file))
    const candidates = comeBy.length > 1 ? comeBy : comeBy.length === 1 ? comeByFile() : asIs.ran
    const cost = (ran: Ran) => {
      const share = basename(ran.testFile).startsWith(own) ? LIKELY : 1
      return ran.tookMs * share * (favourites.includes(ran) ? LIKELY : 1)
    }
    const near = candidates.toSorted((a, b) => cost(a) - cost(b))
    const isQuick = (one: Ran) => cost(one) < QUICK_MS
    return [near.filter(isQuick), near.filter((one) => !isQuick(one))].flatMap(byFile)
  }

  /** A new thread, which has read all files: so it knows which of them see a mutant. */
  async function renew(): Promise<void> {
    await worker.terminate()
    worker = open()
    met = 0
    const runs = testFiles.map((testFile) => ({ testFile, names: [] }))
    await ask({ change: null, guards, runs, places: [] })
  }

  async function killer(mutant: Mutant): Promise<string | null> {
    if (met === MUTANTS_PER_THREAD) await renew()
    met += 1
    const { file, text } = mutant
    const isGuard = file.endsWith('.sql')
    const change = isGuard ? null : { file, text }
    const runs = runsFor(mutant)
    try {
      const { failure } = await ask({ change, guards: isGuard ? text : guards, runs, places: [] })
      if (failure === null) return null
      const { testFile, name } = failure
      const isIt = (one: Ran) => one.testFile === testFile && one.name === name
      favourites = [...asIs.ran.filter(isIt), ...favourites.filter((one) => !isIt(one))].slice(
        0,
        30,
      )
      return `${basename(testFile)}: ${name}`
    } catch (error) {
      if (!(error instanceof Silence)) throw error
      await renew()
      return 'its endless run'
    }
  }

  return {
    killer,
    close: async () => {
      await worker.terminate()
    },
  }
}

/** The tests in their order, but those of one file together, because it is read once for them. */
function byFile(tests: readonly Ran[]): Question['runs'] {
  return [...Map.groupBy(tests, ({ testFile }) => testFile)].map(([testFile, ran]) => ({
    testFile,
    names: [...new Set(ran.map(({ name }) => name))],
  }))
}

class Silence extends Error {}
