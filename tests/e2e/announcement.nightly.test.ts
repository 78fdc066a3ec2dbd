import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { createUser } from '../harness/user.ts'
import { openPage } from '../harness/open-page.ts'
import { axeFindings, bringAxe } from './support/axe.ts'
import { signInBrowser } from './support/user.ts'

const EVIL = '<img src=x onerror="window.wasRun=1"><script>window.wasRun=1</script>'

test('an announcement covers the foot of public pages and of the app, as text, moves nothing, and stays closed until the next', async () => {
  const user = await createUser()
  const { page } = await openPage({ reducedMotion: 'reduce' })
  await bringAxe(page)
  // How far the parts of a page have moved since it began to load.
  await page.addInitScript(() => {
    const moved = { far: 0 }
    Object.assign(window, { moved })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) moved.far += Number(Reflect.get(entry, 'value'))
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const moved = () => page.evaluate(() => Object(Reflect.get(window, 'moved')).far)
  // Fakes only the answer: a real announcement would be on the pages of all other tests.
  const json = { success: true, announcement: { version: 7, text: EVIL, until: null } }
  let tell: () => void = () => undefined
  await page.route('**/api/announcement', async (route) => {
    await new Promise<void>((resolve) => {
      tell = resolve
    })
    await route.fulfill({ json })
  })
  const banner = page.getByRole('complementary', { name: 'Announcement' })
  for (const path of ['/', '/login']) {
    const asked = page.waitForRequest('**/api/announcement')
    await page.goto(path)
    await asked
    const before = await moved()
    tell()
    await banner.getByText(EVIL).waitFor()
    await expect.poll(() => page.evaluate(() => 'wasRun' in window)).toBe(false)
    await page.keyboard.press('End')
    const end = page.locator('footer select')
    await expect.poll(() => gapBetween(end, banner), { message: path }).toBeGreaterThan(0)
    expect(await moved(), path).toBe(before)
  }
  // At 400 % zoom it is below the page.
  await page.setViewportSize({ width: 320, height: 256 })
  expect(await gapBetween(page.locator('footer'), banner)).toBeGreaterThan(0)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.unroute('**/api/announcement')
  await page.route('**/api/announcement', (route) => route.fulfill({ json }))
  await expect.poll(() => axeFindings(page, 'dark')).toEqual([])
  await signInBrowser(page, user.bearer)
  await page.goto('/dashboard')
  await banner.getByRole('button', { name: 'Close' }).click()
  await banner.waitFor({ state: 'detached' })
  const asked = page.waitForResponse('**/api/announcement')
  await page.goto('/privacy')
  await asked
  await page.waitForLoadState('networkidle')
  await expect.poll(() => banner.count()).toBe(0)
  json.announcement.version = 8
  await page.reload()
  await banner.waitFor()
})

/** How many pixels below the end of the first part the second begins. */
async function gapBetween(above: Locator, below: Locator): Promise<number> {
  const [first, second] = [await above.boundingBox(), await below.boundingBox()]
  return (second?.y ?? 0) - (first?.y ?? 0) - (first?.height ?? 0)
}
