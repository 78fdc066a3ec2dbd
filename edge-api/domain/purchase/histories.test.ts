import { afterAll, beforeAll, expect, test } from 'vitest'
import { playHistory, type Stage } from '../../../tests/harness/world/history.ts'
import { startProvider } from '../../../tests/harness/world/history-provider.ts'
import { memoryDatabase } from '../../../tests/harness/world/memory-database.ts'
import { seconds } from '../time.ts'

/** `npm run test:long` plays HISTORIES of them, or HISTORY alone (docs/decisions/0048-histories-have-seeds.md). */
const { HISTORIES, HISTORY } = process.env

/** As many as these, and no more than fit into this time, belong to `npm test`. */
const COUNT = 300
const TIME_MS = seconds(8)

let stage: Stage
beforeAll(async () => {
  stage = { provider: await startProvider(), database: memoryDatabase() }
})
afterAll(() => {
  stage.provider.stop()
})

test(
  'in any history, tokens have money behind them, and money has tokens or goes back',
  async () => {
    const first = Number(HISTORY ?? Math.floor(Math.random() * 2 ** 31))
    const count = HISTORY === undefined ? Number(HISTORIES ?? COUNT) : 1
    const until = HISTORIES === undefined ? performance.now() + TIME_MS : Infinity
    let played = 0
    while (played < count && performance.now() < until) {
      await playHistory(stage, first + played)
      played += 1
    }
    console.log(`played ${played} histories from seed ${first}`)
    expect(played).toBeGreaterThan(0)
  },
  6 * 3_600_000,
)
