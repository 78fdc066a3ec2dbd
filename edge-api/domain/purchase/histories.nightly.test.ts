import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { startSqld } from '#harness/services.ts'
import { playHistories } from '#harness/fixture/history.ts'

/** HISTORY is the seed of one failed history; without it, this many new ones are played. */
const { HISTORY, HISTORIES = '10000' } = process.env

test(
  'in any history, tokens have money behind them, and money has tokens or goes back, whenever the database is killed',
  async () => {
    const { url: databaseUrl, kill, restart, stop } = await startSqld()
    let kills = 0
    const crash = async () => {
      kills += 1
      // Before, while or after it works on a request.
      await new Promise((resolve) => setTimeout(resolve, kills % 10))
      await kill()
      await restart()
    }
    const server = { databaseUrl, crash }
    if (HISTORY !== undefined) await playHistories(Number(HISTORY), 1, server)
    else {
      await playHistories(randomInt(2 ** 31), Number(HISTORIES), { ...server, pace: 4 })
      expect(kills).toBeGreaterThan(Number(HISTORIES) / 100)
    }
    await stop()
  },
  6 * 3_600_000,
)
