import { test } from 'vitest'
import { playHistories } from '#harness/fixture/history.ts'

test('in eight histories, tokens have money behind them, and money has tokens or goes back', async () => {
  await playHistories(1, 8)
})
