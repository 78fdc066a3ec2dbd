import { expect, test } from 'vitest'
import { seedOfSources } from '../launcher/seed-of-sources.ts'
import { tryHeld } from './mutations.ts'

/** `npm test` tries one of so many parts, another one for each change of the code. */
const PARTS = 10

test('a part of the mutants of held files is noticed by the tests of these files', async () => {
  const part = seedOfSources() % PARTS
  const { tried, survivors } = await tryHeld(part, PARTS)
  console.log(`tried ${tried} mutants, part ${part + 1} of ${PARTS}`)
  expect(tried).toBeGreaterThan(0)
  expect(survivors).toEqual([])
}, 300_000)
