import type { Page } from 'playwright-core'

/**
 * Stops the clock of a page, before it is opened: timers run when the test says so (`page.clock.runFor`), so that no
 * busy machine moves them. Answers of the server still arrive.
 */
export async function stopClock(page: Page): Promise<void> {
  const now = Date.now()
  await page.clock.install({ time: now })
  await page.clock.pauseAt(now + 1_000)
}
