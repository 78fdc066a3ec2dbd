import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { openPage, type PageOptions, stopClock } from '../../harness/open-page.ts'

/** Opens the landing page with its first film playing, and a clock that the test moves. */
export async function openFilms(options: PageOptions = {}) {
  const opened = await openPage({ reducedMotion: 'no-preference', ...options })
  const { page } = opened
  await stopClock(page)
  await page.goto('/', { waitUntil: 'load' })
  await expect
    .poll(async () => {
      await page.clock.runFor(100)
      return button(page, 'Pause').count()
    })
    .toBe(1)
  return opened
}

export const current = (page: Page) => page.locator('.clip[data-current] h2').innerText()
export const film = (page: Page) => page.locator('.clip[data-current] video')
export const button = (page: Page, name: string | RegExp) =>
  page.getByRole('region', { name: 'Films' }).getByRole('button', { name })

/** Three films later, with no mouse or focus on the films, this one is still shown. */
export async function expectStill(page: Page, shown: string) {
  await expect.poll(() => current(page)).toBe(shown)
  await page.mouse.move(5, 790)
  await page.evaluate(
    () => document.activeElement instanceof HTMLElement && document.activeElement.blur(),
  )
  await page.clock.runFor(65_000)
  await expect.poll(() => current(page)).toBe(shown)
}
