import { expect, test } from 'vitest'
import { playCoreHistory } from '#harness/fixture/core-history.ts'

/** CORE_HISTORY is the seed of one history that broke. */
const { CORE_HISTORY } = process.env

test('in 20,000 histories of a purchase, money has tokens or is refunded, after every decision', () => {
  if (CORE_HISTORY !== undefined) {
    playCoreHistory(Number(CORE_HISTORY))
    return
  }
  let decisions = 0
  for (let seed = 1; seed <= 20_000; seed += 1) decisions += playCoreHistory(seed)
  expect(decisions).toBeGreaterThan(200_000)
})
