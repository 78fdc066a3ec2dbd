import type { Page } from 'playwright-core'

/** No script of the page arrives until the answer is called: what a slow line looks like to a quick person. */
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
