import { basename, dirname, join } from 'node:path'
import { createClient } from '@libsql/client/http'
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
 * Starts a test runner that reads a mutant in place of its file, so that no file of the tree ever changes. The guards
 * are changed in the database of the tests and put back.
 */
export async function openTrial(databaseUrl: string, guards: string): Promise<Trial> {
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
      pool: 'threads',
      maxWorkers: 1,
      bail: 1,
      testTimeout: TIMEOUT_MS,
      hookTimeout: TIMEOUT_MS,
      reporters: [{}],
      sequence: { sequencer: InGivenOrder },
    },
    { plugins: [readMutant], server: { watch: null } },
  )
  vitest.provide('databaseUrl', databaseUrl)
  await vitest.standalone()
  const client = createClient({ url: databaseUrl })
  const original = triggersOf(guards)

  async function killer(next: Mutant): Promise<string | null> {
    const tests = await relatedTests(vitest, next.file)
    const trigger = next.file.endsWith('.sql') ? changedTrigger(original, next.text) : null
    if (trigger !== null) await swap(trigger.name, trigger.changed)
    else mutant = next
    vitest.invalidateFile(join(root, next.file))
    try {
      return firstFailure(await vitest.runTestSpecifications(tests))
    } finally {
      if (trigger !== null) await swap(trigger.name, trigger.original)
      mutant = null
      vitest.invalidateFile(join(root, next.file))
    }
  }

  async function swap(name: string, statement: string): Promise<void> {
    await client.batch([`DROP TRIGGER IF EXISTS ${name}`, statement], 'write')
  }

  return {
    killer,
    close: async () => {
      client.close()
      await vitest.close()
    },
  }
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

/** Files whose tests are about rules and need no server come first, those that take longest last. */
const QUICK = /-rules\.|-modes\.|who-may/
const SLOW = /at-once|interleavings|any-order|property|histories/

/** The test files that may notice a mutant, those of its own file and folder first. */
async function relatedTests(vitest: Vitest, file: string): Promise<TestSpecification[]> {
  const isGateway = file.startsWith('edge-api/gateways')
  const folders = isGateway
    ? ['edge-api/gateways/razorpay', 'edge-api/domain/purchase']
    : ['edge-api/domain/purchase', 'edge-api/domain/tokens', 'edge-api/domain/account/plan.test']
  const found = await vitest.globTestSpecifications(folders.map((folder) => join(root, folder)))
  const place = ({ moduleId }: TestSpecification) => {
    if (QUICK.test(moduleId)) return -1
    if (basename(moduleId).split('.')[0] === basename(file).split('.')[0]) return 0
    if (SLOW.test(moduleId)) return 3
    return dirname(moduleId).startsWith(join(root, dirname(file))) ? 1 : 2
  }
  return found.toSorted((a, b) => place(a) - place(b))
}

function firstFailure({
  testModules,
  unhandledErrors,
}: Awaited<ReturnType<Vitest['runTestSpecifications']>>) {
  for (const module of testModules) {
    const failed = [...module.children.allTests('failed')][0]
    if (failed !== undefined) return `${basename(module.moduleId)}: ${failed.fullName}`
    if (module.errors().length > 0) return `${basename(module.moduleId)} does not load`
  }
  return unhandledErrors.length > 0 ? 'an unhandled error' : null
}

/** The triggers of the migration, by name. */
function triggersOf(guards: string): Map<string, string> {
  const statements = guards.split('--> statement-breakpoint').map((text) => text.trim())
  return new Map(
    statements.map((text) => [/CREATE TRIGGER (`\w+`)/.exec(text)?.[1] ?? text.slice(0, 40), text]),
  )
}

function changedTrigger(original: Map<string, string>, guards: string) {
  for (const [name, changed] of triggersOf(guards)) {
    const before = original.get(name)
    if (before !== undefined && before !== changed) return { name, changed, original: before }
  }
  throw new Error('the mutant changes no trigger')
}
