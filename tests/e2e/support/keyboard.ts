import type { Page } from 'playwright-core'

/** Presses Tab until a control with this name has the focus. Throws when 80 presses do not reach it. */
export async function tabTo(page: Page, name: string | RegExp, within = '*'): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    const isThere = await page.locator(`${within}:focus`).evaluateAll(
      (focused, wanted) =>
        focused.some((element) => {
          const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined
          const text = (element.ariaLabel ?? label?.innerText ?? element.textContent).trim()
          return new RegExp(wanted).test(text)
        }),
      typeof name === 'string' ? `^${name}$` : name.source,
    )
    if (isThere) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never reached ${String(name)}`)
}

/** Presses Enter on the control of this name. */
export async function press(page: Page, name: string | RegExp): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

/** Types into the field of this label. */
export async function type(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, label)
  await page.keyboard.type(text)
}
