import type { Page } from 'playwright-core'

/** Holds back the page's requests to these addresses until the returned function is called, like a slow connection. */
export async function hold(page: Page, addresses: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  await page.route(addresses, async (route) => {
    await promise
    await route.continue()
  })
  return () => {
    resolve(undefined)
  }
}

/** Holds back all scripts of the page. */
export const holdScripts = (page: Page) => hold(page, '**/_astro/*.js')
