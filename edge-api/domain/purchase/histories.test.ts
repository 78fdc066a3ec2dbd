import { expect, test } from 'vitest'
import { playHistory } from '../../../tests/harness/world/history.ts'
import { openProvider } from '../../../tests/harness/world/history-provider.ts'
import { memoryDatabase } from '../../../tests/harness/world/memory-database.ts'
import { seconds } from '../time.ts'

/** `npm run test:long` plays HISTORIES of them, from the seed HISTORY on (docs/decisions/0048-histories-have-seeds.md). */
const { HISTORIES, HISTORY } = process.env

/** As many as these, and no more than fit into this time, belong to `npm test`. */
const COUNT = 300
const TIME_MS = seconds(8)

test(
  'in any history, tokens have money behind them, and money has tokens or goes back',
  async () => {
    const stage = { provider: openProvider(), database: memoryDatabase() }
    const first = Number(HISTORY ?? Math.floor(Math.random() * 2 ** 31))
    const count = Number(HISTORIES ?? COUNT)
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
