import type { Page } from 'playwright-core'

/** Opens a page and waits until its fonts are loaded, its islands hydrated, its data shown and its elements defined. */
export async function openSettled(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'load' })
  // Islands of public pages hydrate when somebody points at them.
  for (const island of await page.locator('astro-island[client=used]').all()) {
    await island.dispatchEvent('pointerover')
  }
  await page.waitForFunction(
    () =>
      document.fonts.status === 'loaded' &&
      document.querySelector('astro-island[ssr], [aria-busy=true], :not(:defined)') === null,
  )
}
