import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from 'vitest'
import { openPage } from '../../harness/open-page.ts'
import { PUBLIC_PATHS } from './pages.ts'

const LOOKS = [360, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
)

test.each(LOOKS)(
  'at $width, $colorScheme: axe finds nothing and no public page scrolls sideways',
  async (look) => {
    const { page } = await openPage({ ...look, reducedMotion: 'reduce' })
    const found: string[] = []
    for (const path of PUBLIC_PATHS) {
      await page.goto(path, { waitUntil: 'networkidle' })
      const { violations } = await new AxeBuilder({ page }).analyze()
      found.push(...violations.map(({ id, nodes }) => `${path} ${id}: ${nodes[0]?.html ?? ''}`))
      const isCut = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
      if (isCut) found.push(`${path} scrolls sideways`)
    }
    expect(found).toEqual([])
  },
  120_000,
)

// 640 is what a window of 1280 has left at 200 % zoom.
test.each([320, 640])('at $0 px no public page scrolls sideways', async (width) => {
  const { page } = await openPage({ width, reducedMotion: 'reduce' })
  const cut: string[] = []
  for (const path of PUBLIC_PATHS) {
    await page.goto(path, { waitUntil: 'load' })
    const isCut = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    if (isCut) cut.push(path)
  }
  expect(cut).toEqual([])
})

test('without scripts the public pages read in full', async () => {
  const { page } = await openPage({ javaScriptEnabled: false })
  const words: Record<string, string[]> = {
    '/': [
      'AI Interview Assistant',
      'Management Questions',
      'Follow-up',
      'Turn pressure',
      'Windows 10/11',
    ],
    '/subscription': [
      '$35',
      '₹2999',
      '$25',
      '₹2199',
      '365 days',
      'Token packs whenever you need more',
    ],
    '/careers': ['Key Responsibilities', 'Preferred Qualifications', 'careers@sotto.example'],
    '/contact': ['Sending this form needs JavaScript'],
    '/privacy': ['Information we collect', 'Razorpay'],
  }
  const missing: string[] = []
  for (const [path, texts] of Object.entries(words)) {
    await page.goto(path)
    const shown = await page.locator('body').innerText()
    missing.push(...texts.filter((text) => !shown.includes(text)).map((text) => `${path}: ${text}`))
  }
  expect(missing).toEqual([])
})
