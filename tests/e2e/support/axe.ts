import axe from 'axe-core'
import type { Page } from 'playwright-core'

declare global {
  interface Window {
    axe?: typeof axe
  }
}

/** Whatever axe finds on the page as it stands, by all its rules, in the light and in the dark theme: one line each. */
export async function axeFindings(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    found.push(...(await violations(page)).map((violation) => `${colorScheme} ${violation}`))
  }
  return found
}

/** The rules are handed over once a page and run in it: to do so for each run takes longer than the run. */
async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async () => {
    if (window.axe === undefined) throw new Error('axe did not arrive in the page')
    const results = await window.axe.run(document, { resultTypes: ['violations'] })
    return results.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)
  })
}
