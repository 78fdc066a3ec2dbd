import type { Page } from 'playwright-core'

/** Opens a page and waits until its face is loaded, its islands live, its data shown and its small parts at work. */
export async function openSettled(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'load' })
  await page.waitForFunction(
    () =>
      document.fonts.status === 'loaded' &&
      document.querySelector('astro-island[ssr], [aria-busy=true], feature-panel:not(:defined)') ===
        null,
  )
}
