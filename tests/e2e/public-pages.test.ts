import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../harness/open-page.ts'
import { ALL_PATHS } from './site/pages.ts'

/** The links of the footer as [text, href]. */
const footerLinks = (page: Page) =>
  page
    .locator('footer a')
    .evaluateAll((links) =>
      links.map((link) => [link.textContent.trim(), link.getAttribute('href')] as const),
    )

test('the footer of every page has the brand credit, its links and this year', async () => {
  const { page } = await openPage({ javaScriptEnabled: false })
  const year = String(new Date().getFullYear())
  for (const path of ALL_PATHS) {
    await page.goto(path, { waitUntil: 'domcontentloaded' })
    const footer = page.locator('footer')
    const said = await footer.innerText()
    expect(said, path).toContain('Made by Sotto Labs.')
    expect(said, path).toContain(`© ${year} Sotto Labs Private Limited`)
    expect(await footer.locator('.hiring').innerText(), path).toBe('Hiring')
    expect(await footerLinks(page), path).toEqual(
      expect.arrayContaining([
        ['Videos', 'https://www.youtube.com/@sottolabs'],
        ['Pricing', '/subscription'],
        [expect.stringContaining('Careers'), '/careers'],
        ['Contact Support', '/contact'],
      ]),
    )
  }
})

test('the landing page has 6 clips, 6 rotating features and 9 feature cards', async () => {
  const { page } = await openPage({ javaScriptEnabled: false })
  await page.goto('/', { waitUntil: 'domcontentloaded' })
  const count = (selector: string) => page.locator(selector).count()
  expect({
    clips: await count('.clip h2'),
    features: await count('feature-panel [data-scene]'),
    cards: await count('.nine > li'),
  }).toEqual({ clips: 6, features: 6, cards: 9 })
})

test('the landing and download pages name macOS 10.15 or later and Windows 10/11', async () => {
  const { page } = await openPage({ javaScriptEnabled: false })
  for (const path of ['/', '/download']) {
    await page.goto(path, { waitUntil: 'domcontentloaded' })
    const cards = await page
      .locator('main')
      .getByText(/10\.15|10\/11/)
      .allInnerTexts()
    const said = cards.join('\n')
    expect(said, path).toContain('macOS 10.15 or later')
    expect(said, path).toContain('Windows 10/11')
  }
})
