import type { Locator } from 'playwright-core'
import { expect } from 'vitest'

/** Waits until the element has the focus and is in view. */
export async function expectFocus(element: Locator): Promise<void> {
  await expect.poll(() => element.evaluate((one) => one === document.activeElement)).toBe(true)
  const isInView = await element.evaluate((one) => {
    const { top, bottom } = one.getBoundingClientRect()
    // Browsers scroll by whole pixels, and an element may begin or end between two.
    return top > -1 && bottom < innerHeight + 1
  })
  expect(isInView).toBe(true)
}
