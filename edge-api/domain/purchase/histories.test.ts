import { afterAll, beforeAll, expect, test } from 'vitest'
import { playHistory } from '../../../tests/harness/world/history.ts'
import { type Provider, startProvider } from '../../../tests/harness/world/history-provider.ts'

/** How many, in `npm test`. Another number, or the seed of one: see docs/decisions/0048. */
const COUNT = Number(process.env['HISTORIES'] ?? 300)
const ONE = process.env['HISTORY']

let provider: Provider
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => {
  provider.stop()
})

test('in any history, tokens have money behind them and money has tokens or goes back', async () => {
  const first = ONE === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(ONE)
  const count = ONE === undefined ? COUNT : 1
  for (let seed = first; seed < first + count; seed += 1) await playHistory(provider, seed)
  expect(count).toBeGreaterThan(0)
}, 3_600_000)
