import { expect, test } from 'vitest'
import { watchInteractions } from '../../tools/bench/acts/interactions.ts'
import { openPage } from '../harness/open-page.ts'

const BUSY_MS = 120

/** A button that keeps its page busy, and one that does not. */
const PAGE = `data:text/html,
  <button onclick="const end = performance.now() + ${BUSY_MS}; while (performance.now() < end);">Slow</button>
  <button>Quick</button>`

test('the benchmark sees how long a press keeps the next frame waiting, and each press once', async () => {
  const { page, context } = await openPage()
  const seen = await watchInteractions(context)
  await page.goto(PAGE)
  await page.getByRole('button', { name: 'Slow' }).click()
  await expect.poll(() => seen().length).toBe(1)
  expect(seen()[0]?.ms).toBeGreaterThanOrEqual(BUSY_MS)
})
