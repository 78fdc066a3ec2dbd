import { expect, test } from 'vitest'
import { brand } from '../../../site/brand.ts'
import { openPage } from '../../harness/open-page.ts'
import { faultsOfPublicPages } from './look-at.ts'

test('at 1280 and 360 px axe finds nothing in either theme, and from 320 px on no public page scrolls sideways', async () => {
  expect(await faultsOfPublicPages()).toEqual([])
}, 120_000)

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
    '/careers': ['Key Responsibilities', 'Preferred Qualifications', brand.careersEmail],
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
