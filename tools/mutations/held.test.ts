import { expect, test } from 'vitest'
import { seedOfSources } from '../launcher/seed-of-sources.ts'
import { tryHeld } from './mutations.ts'

/** Some mutants take a second and others five, so `npm test` tries as many as it can meanwhile. */
const TRIED_FOR_MS = 60_000

test('mutants of held files, others for each change of the code, are noticed by the tests of these files', async () => {
  const from = seedOfSources()
  const { tried, survivors } = await tryHeld(from, performance.now() + TRIED_FOR_MS)
  console.log(`tried ${tried} mutants`)
  expect(tried).toBeGreaterThan(0)
  expect(survivors).toEqual([])
}, 300_000)
