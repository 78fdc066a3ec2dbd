import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { Worker } from 'node:worker_threads'
import { root } from '../launcher/settings.ts'
import type { Mutant } from './mutant.ts'
import type { Answer, Question } from './trial-worker.ts'

/** What tests say to a mutant: the first that fails, or null when none does. */
export interface Trial {
  killer: (mutant: Mutant) => Promise<string | null>
  close: () => Promise<void>
}

const TESTS = [
  'edge-api/domain/purchase/*.test.ts',
  'edge-api/domain/tokens/*.test.ts',
  'edge-api/domain/account/plan.test.ts',
  'edge-api/gateways/razorpay/*.test.ts',
]
/** These try the same in many orders. They take seconds, and notice nothing that the others do not. */
const SLOW = /interleavings|any-order|property|offline-queue|flood/

/** A mutant whose tests of one file run for longer runs for ever. */
const SILENT_MS = 240_000

/**
 * Starts a thread in which tests meet one mutant after the other. No file of the tree ever changes. Throws when a test
 * fails without any mutant: it must not be taken for one that notices them all.
 */
export async function openTrial(guards: string): Promise<Trial> {
  let testFiles = globSync(TESTS, { cwd: root }).filter((file) => !SLOW.test(file))
  const favourites: string[] = []
  let worker = open()

  const asIs = await ask({ change: null, guards, testFiles, favourites })
  if (asIs.failure !== null) {
    await worker.terminate()
    const { testFile, name, reason } = asIs.failure
    throw new Error(`without any mutant, this test fails: ${testFile}: ${name}: ${reason}`)
  }
  testFiles = testFiles.toSorted((a, b) => (asIs.took[a] ?? 0) - (asIs.took[b] ?? 0))

  function open(): Worker {
    // The same histories for each mutant.
    const env = { ...process.env, HISTORY: '1', HISTORIES: '8' }
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

  async function killer({ file, text }: Mutant): Promise<string | null> {
    const isGuard = file.endsWith('.sql')
    const own = basename(file, '.ts')
    const question = {
      change: isGuard ? null : { file, text },
      guards: isGuard ? text : guards,
      testFiles: testFiles.toSorted((a, b) => Number(isOf(own, b)) - Number(isOf(own, a))),
      favourites,
    }
    try {
      const { failure } = await ask(question)
      if (failure === null) return null
      // What noticed the last mutant is the likeliest to notice the next.
      testFiles = [failure.testFile, ...testFiles.filter((one) => one !== failure.testFile)]
      favourites.unshift(failure.name)
      favourites.length = Math.min(favourites.length, 100)
      return `${basename(failure.testFile)}: ${failure.name}`
    } catch (error) {
      if (!(error instanceof Silence)) throw error
      await worker.terminate()
      worker = open()
      await ask({ change: null, guards, testFiles, favourites })
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

class Silence extends Error {}

const isOf = (name: string, testFile: string) => basename(testFile).startsWith(`${name}.`)
