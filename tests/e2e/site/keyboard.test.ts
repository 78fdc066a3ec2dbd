import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { brand } from '../../../site/brand.ts'
import { openPage } from '../../harness/open-page.ts'
import { openSettled } from './settled.ts'

/** The focused element: its name, and whether its focus is visible. */
function focused(page: Page) {
  return page.evaluate(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return null
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const { width, height } = element.getBoundingClientRect()
    const isOutlined = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
    const label = element instanceof HTMLSelectElement ? element.labels[0]?.innerText : undefined
    const name = element.ariaLabel ?? label?.split('\n')[0] ?? element.textContent
    return {
      name: name.replaceAll(/\s+/g, ' ').trim(),
      // The range over the two views shows its outline on the handle.
      isSeen: (isOutlined || element.matches('input[type=range]')) && width > 0 && height > 0,
    }
  })
}

/** Presses Tab until the focus has gone round; returns the names it met. */
async function tabThrough(page: Page): Promise<string[]> {
  const names: string[] = []
  for (let presses = 0; presses < 90; presses += 1) {
    await page.keyboard.press('Tab')
    const now = await focused(page)
    if (now === null) break
    expect(now, `after ${names.at(-1) ?? 'the start'}`).toMatchObject({ isSeen: true })
    names.push(now.name)
  }
  return names
}

test('landing: Tab reaches everything in reading order, and the focus is always visible', async () => {
  const { page } = await openPage({ reducedMotion: 'reduce' })
  await openSettled(page, '/')
  // Tab passes over the controls of the films until their script is there.
  await page.getByRole('button', { name: 'Captions', disabled: false }).waitFor()
  const names = await tabThrough(page)
  const inOrder = [
    /^Skip to content$/,
    new RegExp(`^${brand.productName}$`),
    /^Demo$/,
    /^Download$/,
    /^Sign In$/,
    /^Try for free$/,
    /^Try for free$/,
    /^Download$/,
    /^Pro is \$\d/,
    /^Play the films$/,
    /^Previous film$/,
    /^Next film$/,
    /^Unmute$/,
    /^Captions$/,
    /^Film 1 of 6/,
    /^How much of the screen/,
    /^Interview /,
    /^Follow-up /,
    /^Play the examples$/,
    /^Download for macOS/,
    /^Get it for Windows/,
    /^Do others see it/,
    /^What does it cost/,
    new RegExp(`^${brand.productName}$`),
    /^Pricing$/,
    /^Careers Hiring$/,
    /^Refunds$/,
    /^Theme$/,
  ]
  let from = 0
  for (const wanted of inOrder) {
    const at = names.findIndex((name, index) => index >= from && wanted.test(name))
    expect(at, `${String(wanted)} after ${names[from - 1] ?? 'the start'}`).toBeGreaterThan(-1)
    from = at + 1
  }
})

test('the first Tab offers to skip the header, and Enter does', async () => {
  const { page } = await openPage()
  await page.goto('/privacy')
  await page.keyboard.press('Tab')
  await expect.poll(() => focused(page)).toEqual({ name: 'Skip to content', isSeen: true })
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect((await focused(page))?.name).toBe('Back to home')
})
