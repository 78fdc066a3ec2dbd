import type axe from 'axe-core'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

declare global {
  interface Window {
    axe?: typeof axe
  }
}

/** The rules as one minified script of 650 KB; `axe.source` is more than twice as large. */
const RULES = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Adds the rules to every page opened after this: adding them page by page takes longer than running them. */
export async function bringAxe(page: Page): Promise<void> {
  await page.addInitScript({ path: RULES })
}

interface Wanted {
  colorScheme: 'light' | 'dark'
  /** All rules when left out. */
  rules?: string[]
  /** Only the dialog or the menu that is open, because the page below it was judged before. */
  isOpenedAlone?: boolean
}

/** Returns what axe finds on the page, one line each. The page must be opened after bringAxe(). */
export async function axeFindings(page: Page, wanted: Wanted): Promise<string[]> {
  await page.emulateMedia({ colorScheme: wanted.colorScheme })
  return page.evaluate(async ({ rules, isOpenedAlone }) => {
    if (window.axe === undefined) throw new Error('axe did not arrive in the page')
    const opened = isOpenedAlone ? document.querySelectorAll(':modal, :popover-open') : []
    // The stylesheets are for one rule alone, which is experimental and switched off.
    const preload = { assets: ['media'] }
    const results = await window.axe.run(opened[opened.length - 1] ?? document, {
      resultTypes: ['violations'],
      preload,
      ...(rules && { runOnly: rules }),
    })
    return results.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)
  }, wanted)
}
