import type { Page } from 'playwright-core'

/** Opens a page and waits until its fonts are loaded, its islands hydrated, its data shown and its elements defined. */
export async function openSettled(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'load' })
  await page.waitForFunction(() => {
    const waiting = 'astro-island[ssr], [aria-busy=true], :not(:defined)'
    return document.fonts.status === 'loaded' && document.querySelector(waiting) === null
  })
}
