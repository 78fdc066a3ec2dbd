import { expect, test } from 'vitest'
import { playHistory } from '../../../tests/harness/world/history.ts'
import { openProvider } from '../../../tests/harness/world/history-provider.ts'
import { memoryDatabase } from '../../../tests/harness/world/memory-database.ts'
import { seedOfSources } from '../../../tools/launcher/seed-of-sources.ts'

/** `npm run test:long` plays HISTORIES of them, from the seed HISTORY on (docs/decisions/0048-histories-have-seeds.md). */
const { HISTORIES, HISTORY } = process.env

/** As many as these belong to `npm test`: about 22 seconds of one core. */
const COUNT = 300

function firstSeed(): number {
  if (HISTORY !== undefined) return Number(HISTORY)
  return HISTORIES === undefined ? seedOfSources() : Math.floor(Math.random() * 2 ** 31)
}

test(
  'in any history, tokens have money behind them, and money has tokens or goes back',
  async () => {
    const stage = { provider: openProvider(), database: memoryDatabase() }
    const first = firstSeed()
    const count = Number(HISTORIES ?? COUNT)
    for (let played = 0; played < count; played += 1) await playHistory(stage, first + played)
    console.log(`played ${count} histories from seed ${first}`)
    expect(count).toBeGreaterThan(0)
  },
  6 * 3_600_000,
)
