import { expect, test } from 'vitest'
import { playCoreHistory } from '#harness/fixture/core-history.ts'

test('in a million histories of a purchase, money has tokens or is refunded, after every decision', () => {
  let decisions = 0
  for (let seed = 20_001; seed <= 1_020_000; seed += 1) decisions += playCoreHistory(seed)
  expect(decisions).toBeGreaterThan(10_000_000)
}, 3_600_000)
