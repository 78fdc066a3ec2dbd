import { expect, test } from 'vitest'
import { brand } from '../../../site/brand.ts'
import { openPage, stopClock } from '../../harness/open-page.ts'
import { openAs } from '../support/user.ts'

/** The links of the header on every page. */
const LINKS = ['Home', 'Demo', 'Download', 'Pricing', 'Contact Support']

async function openPanel() {
  const opened = await openPage({ reducedMotion: 'no-preference' })
  const { page } = opened
  await stopClock(page)
  await page.goto('/', { waitUntil: 'load' })
  const panel = page.locator('.feature-panel')
  await panel.scrollIntoViewIfNeeded()
  await expect
    .poll(async () => {
      await page.clock.runFor(200)
      return page.locator('.feature-panel[data-auto]').count()
    })
    .toBe(1)
  await page.mouse.move(5, 5)
  const title = () => panel.locator('.scenes > [data-current] h3').innerText()
  return { ...opened, panel, title }
}

test('the six panels change every 3 s and wait while they are hovered; a chosen question is typed and answered, and ends the turning', async () => {
  const { page, panel, title } = await openPanel()
  const seen = new Set<string>()
  for (let turn = 0; turn < 7; turn++) {
    const shown = await title()
    seen.add(shown)
    await page.clock.runFor(3_000)
    await expect.poll(title).not.toBe(shown)
  }
  expect(seen.size).toBe(6)

  const before = await title()
  await panel.locator('.scenes > [data-current] .overlay').hover()
  await page.clock.runFor(30_000)
  await expect.poll(() => title()).toBe(before)

  await panel.getByRole('button', { name: 'Sales' }).click()
  await expect.poll(title).toBe('Sales')
  const typed = panel.locator('.scenes > [data-current]')
  expect(await typed.locator('.heard .written').count()).toBe(35)
  expect(await typed.locator('.overlay').textContent()).toContain('Compare a year, not a month.')
  await page.mouse.move(5, 5)
  await panel.getByRole('button', { name: 'Sales' }).blur()
  await page.clock.runFor(20_000)
  await expect.poll(() => title()).toBe('Sales')
  await panel.getByRole('button', { name: 'Play' }).click()
  await panel.getByRole('button', { name: 'Pause' }).blur()
  await page.mouse.move(5, 5)
  await page.clock.runFor(3_200)
  await expect.poll(title).toBe('Negotiation')
})

test('on macOS 15 every page that says what others see says it for this Mac, its drawings are of Windows, and nothing moves', async () => {
  const { page, context } = await openPage({ width: 1920, height: 1080, mayLog: /ERR_FAILED/ })
  // Text moves a little when its font arrives, if that is after the first frame.
  await page.route('/fonts/**', (route) => route.abort())
  const cdp = await context.newCDPSession(page)
  await cdp.send('Emulation.setUserAgentOverride', {
    userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/153.0.0.0',
    userAgentMetadata: {
      platform: 'macOS',
      platformVersion: '15.1.0',
      ...{ architecture: 'arm', model: '', mobile: false },
    },
  })
  // The page learns the system after it rests: a slow machine paints it in parts, and those move.
  await page.addInitScript(() => {
    const { userAgentData } = navigator
    if (!userAgentData) return
    const system = userAgentData.getHighEntropyValues(['platformVersion'])
    Object.defineProperty(Object.getPrototypeOf(userAgentData), 'getHighEntropyValues', {
      value: async () => {
        while (document.readyState !== 'complete') await new Promise(requestAnimationFrame)
        await new Promise(requestAnimationFrame)
        new PerformanceObserver((list) => {
          for (const { entryType } of list.getEntries()) console.error(entryType)
        }).observe({ type: 'layout-shift' })
        return system
      },
    })
  })
  for (const path of ['/', '/download', '/screen-sharing', '/subscription', '/login']) {
    await page.goto(path, { waitUntil: 'networkidle' })
    const said = () => page.locator('[data-seen]').allInnerTexts()
    const here = 'On this Mac (macOS 15): expect that others see it.'
    await expect.poll(async () => [...new Set(await said())], { message: path }).toEqual([here])
    const added = await page
      .locator('.overlay-tag, .side-they')
      .evaluateAll((tags) => tags.map((tag) => getComputedStyle(tag, '::after').content))
    expect(new Set(added), path).toEqual(new Set(added.length > 0 ? ['" on Windows"'] : []))
  }
})

test('the download for the system of the browser leads, is marked and is read out as two words', async () => {
  const userAgent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
  const { page } = await openPage({ userAgent })
  await page.goto('/download')
  expect(await page.locator('.downloads h2').first().innerText()).toContain('Windows')
  const heading = page.getByRole('heading', { name: 'Windows Your system', exact: true })
  expect(await heading.count()).toBe(1)
  expect(await page.getByText('Your system').filter({ visible: true }).count()).toBe(1)
})

test('signed-in users are offered the dashboard instead of an account', async () => {
  const { page } = await openAs('a token', '/')
  const shown = async (place: string) =>
    page.locator(`${place} a`).filter({ visible: true }).allInnerTexts()
  await expect.poll(() => shown('header')).toEqual([brand.productName, ...LINKS, 'Dashboard'])
  await expect.poll(() => shown('.hero-words')).toContain('Open the dashboard')
  expect(await page.locator('.account-bar').count()).toBe(0)
  await page.evaluate(() => {
    localStorage.clear()
  })
  await page.reload()
  await expect
    .poll(() => shown('header'))
    .toEqual([brand.productName, ...LINKS, 'Sign In', 'Try for free'])
  await expect.poll(() => shown('.hero-words')).not.toContain('Open the dashboard')
})
