import type { Page } from 'playwright-core'

/** Opens a page and waits until its fonts are loaded, its islands hydrated, its data shown and its elements defined. */
export async function openSettled(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'load' })
  await page.waitForFunction(() => {
    // Islands of public pages hydrate when somebody points at them.
    for (const island of document.querySelectorAll('astro-island[ssr]')) {
      island.dispatchEvent(new Event('pointerover'))
    }
    return (
      document.fonts.status === 'loaded' &&
      document.querySelector('astro-island[ssr], [aria-busy=true], :not(:defined)') === null
    )
  })
}
