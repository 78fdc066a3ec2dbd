import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { openPage } from '../../harness/open-page.ts'
import { NOT_LOADED } from './console-errors.ts'
import { registeredUser, signInBrowser } from './user.ts'

/** What a page says in the place of a part whose script did not load. */
export const MISSING_PART = 'Part of this page did not load.'

/** All scripts of a page. */
export const SCRIPTS = /_astro\/.*\.js/

/** Blocks the scripts that match the pattern, until the returned function is called. */
export async function cutOff(page: Page, pattern: RegExp): Promise<() => Promise<void>> {
  await page.route(pattern, (route) => route.abort())
  return () => page.unroute(pattern)
}

/** Opens a page of a new account without these scripts. */
export async function openCutOff(path: string, pattern: RegExp) {
  const { page } = await openPage({ mayLog: NOT_LOADED })
  await signInBrowser(page, (await registeredUser()).bearer)
  const mend = await cutOff(page, pattern)
  await page.goto(path)
  return { page, mend }
}

/** Waits until the page says that a part is missing, and has all its parts after "Try Again". */
export async function expectMended(page: Page, mend: () => Promise<void>, title: string | RegExp) {
  await page.getByRole('alert').getByText(MISSING_PART).waitFor()
  await mend()
  await page.getByRole('link', { name: 'Try Again' }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await expect.poll(() => page.getByText(MISSING_PART).count()).toBe(0)
}
