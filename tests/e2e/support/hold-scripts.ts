import type { Page } from 'playwright-core'

/** Holds back all scripts of the page until the returned function is called, like a slow line. */
export async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  await page.route('**/_astro/*.js', async (route) => {
    await promise
    await route.continue()
  })
  return () => {
    resolve(undefined)
  }
}
