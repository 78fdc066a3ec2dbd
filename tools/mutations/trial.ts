import { basename, dirname, join } from 'node:path'
import { createVitest, type TestSpecification, type Vitest } from 'vitest/node'
import { root } from '../launcher/settings.ts'
import type { Mutant } from './mutant.ts'

/** What tests say to a mutant: the name of the first that fails, or null when none does. */
export interface Trial {
  killer: (mutant: Mutant) => Promise<string | null>
  close: () => Promise<void>
}

/** A mutant that makes a test wait for ever is noticed by this. */
const TIMEOUT_MS = 60_000

/**
 * Starts a test runner that reads a mutant in place of its file, so that no file of the tree ever changes. Its tests keep
 * their databases in memory; a mutant of the guards becomes the guards of those.
 */
export async function openTrial(guards: string, files: readonly string[]): Promise<Trial> {
  let mutant: Mutant | null = null
  const readMutant = {
    name: 'read-mutant',
    enforce: 'pre' as const,
    transform: (_code: string, id: string) =>
      mutant !== null && id === join(root, mutant.file) ? { code: mutant.text, map: null } : null,
  }
  const vitest = await createVitest(
    'test',
    {
      config: false,
      root,
      watch: true,
      name: 'domain',
      include: ['edge-api/**/*.test.ts'],
      isolate: false,
      // It would keep a file as it was before the mutant, and a mutant in place of its file.
      fsModuleCache: false,
      pool: 'threads',
      maxWorkers: 1,
      bail: 1,
      testTimeout: TIMEOUT_MS,
      hookTimeout: TIMEOUT_MS,
      reporters: [{}],
      sequence: { sequencer: InGivenOrder },
      // The same histories for each mutant.
      env: { HISTORY: '1', HISTORIES: '8' },
    },
    { plugins: [readMutant], server: { watch: null } },
  )
  vitest.provide('databaseUrl', 'memory:')
  await vitest.standalone()

  /** The first test about these files that fails with these guards; null when all pass. */
  async function firstFailure(text: string, about: string): Promise<string | null> {
    vitest.provide('guards', text)
    const specifications = await tests(vitest, about)
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
    const ran = new Set(specifications.map(({ moduleId }) => moduleId))
    // The result also holds what earlier runs left of other files.
    for (const module of testModules.filter(({ moduleId }) => ran.has(moduleId))) {
      const failed = [...module.children.allTests('failed')][0]
      if (failed !== undefined) return `${basename(module.moduleId)}: ${failed.fullName}`
      if (module.errors().length > 0) return `${basename(module.moduleId)} does not load`
    }
    return unhandledErrors.length > 0 ? 'an unhandled error' : null
  }

  // A test that never passes must not be taken for one that notices every mutant.
  for (const file of new Map(files.map((file) => [dirname(file), file])).values()) {
    const broken = await firstFailure(guards, file)
    if (broken !== null) throw new Error(`without any mutant, this test fails: ${broken}`)
  }

  async function killer(next: Mutant): Promise<string | null> {
    const isGuard = next.file.endsWith('.sql')
    const file = join(root, next.file)
    if (!isGuard) mutant = next
    vitest.invalidateFile(file)
    try {
      return await firstFailure(isGuard ? next.text : guards, next.file)
    } finally {
      mutant = null
      vitest.invalidateFile(file)
    }
  }

  return { killer, close: () => vitest.close() }
}

/** Keeps the order in which the tests are given: the likeliest to notice come first. */
class InGivenOrder {
  sort(specifications: TestSpecification[]): TestSpecification[] {
    return specifications
  }
  shard(specifications: TestSpecification[]): TestSpecification[] {
    return specifications
  }
}

/** Files whose tests are about rules come first; the histories, which notice much and take a second, come late. */
const RULES = /-rules\.|-modes\.|who-may/
const HISTORIES = /histories/
/** These are about many calls at once or take seconds, and notice nothing that the others do not. */
const SLOW = /at-once|interleavings|any-order|property|offline-queue|\/reconcile\./
/** These start programs. They are about what calls the rules, so mutants of the rules do without them. */
const WITH_PROGRAMS = /\/(audit|jobs|late-money|proven-payment|recover-purchases|webhooks)\./
const RULES_ONLY = /\/(tokens|settling|migrations)\//

/** The test files that may notice a mutant, those of its own file and folder first. */
async function tests(vitest: Vitest, file: string): Promise<TestSpecification[]> {
  const isGateway = file.startsWith('edge-api/gateways')
  const folders = isGateway
    ? ['edge-api/gateways/razorpay', 'edge-api/domain/purchase/histories']
    : ['edge-api/domain/purchase', 'edge-api/domain/tokens', 'edge-api/domain/account/plan.test']
  const found = await vitest.globTestSpecifications(folders.map((folder) => join(root, folder)))
  const place = ({ moduleId }: TestSpecification) => {
    if (basename(moduleId).split('.')[0] === basename(file).split('.')[0]) return 0
    if (WITH_PROGRAMS.test(moduleId)) return 5
    if (HISTORIES.test(moduleId)) return 4
    if (RULES.test(moduleId)) return 1
    return dirname(moduleId).startsWith(join(root, dirname(file))) ? 2 : 3
  }
  return found
    .filter(({ moduleId }) => !SLOW.test(moduleId))
    .filter(({ moduleId }) => !(RULES_ONLY.test(file) && WITH_PROGRAMS.test(moduleId)))
    .toSorted((a, b) => place(a) - place(b))
}
