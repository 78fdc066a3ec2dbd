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

/** Returns what axe finds on the page, by all its rules or by these, one line each. The page must be opened after bringAxe(). */
export async function axeFindings(
  page: Page,
  colorScheme: 'light' | 'dark',
  rules?: string[],
): Promise<string[]> {
  await page.emulateMedia({ colorScheme })
  return page.evaluate(async (only) => {
    if (window.axe === undefined) throw new Error('axe did not arrive in the page')
    // The stylesheets are for one rule alone, which is experimental and switched off.
    const preload = { assets: ['media'] }
    const results = await window.axe.run(document, {
      resultTypes: ['violations'],
      preload,
      ...(only && { runOnly: only }),
    })
    return results.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)
  }, rules)
}
