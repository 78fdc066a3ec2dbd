import { expect, test } from 'vitest'
import { brand } from '../../site/brand.ts'
import { openPage } from '../harness/open-page.ts'
import { ALL_PATHS, PUBLIC_PATHS } from './site/pages.ts'

interface Footer {
  text: string
  hiring: string | undefined
  links: [text: string, href: string | null][]
}

/** Runs in the page: reads the footer of each path without loading what the pages need. */
function readFooters(paths: readonly string[]): Promise<Footer[]> {
  return Promise.all(
    paths.map(async (path) => {
      const html = await (await fetch(path)).text()
      const footer = new DOMParser().parseFromString(html, 'text/html').querySelector('footer')
      const links = [...(footer?.querySelectorAll('a') ?? [])]
      return {
        text: (footer?.textContent ?? '').replaceAll(/\s+/g, ' '),
        hiring: footer?.querySelector('.pill')?.textContent,
        links: links.map((link) => [link.textContent.trim(), link.getAttribute('href')]),
      }
    }),
  )
}

/** Runs in the page: how many elements of the landing page each selector finds, without its scripts. */
async function countParts(selectors: readonly string[]) {
  const html = await (await fetch('/')).text()
  const landing = new DOMParser().parseFromString(html, 'text/html')
  return selectors.map((selector) => landing.querySelectorAll(selector).length)
}

test('the footer of every page has the brand credit, its links and this year; the landing page has 6 clips, 6 rotating features and 9 feature cards', async () => {
  const { page } = await openPage()
  // A file without a policy for styles: the policy of a page would also apply to the documents parsed in it.
  await page.goto('/robots.txt')
  const footers = await page.evaluate(readFooters, ALL_PATHS)
  const parts = await page.evaluate(countParts, ['.clip h2', '.scenes > li', '.nine > li'])
  expect(parts).toEqual([6, 6, 9])
  const year = String(new Date().getFullYear())
  for (const [nth, { text, hiring, links }] of footers.entries()) {
    const path = ALL_PATHS[nth] ?? ''
    const isPublic = PUBLIC_PATHS.includes(path)
    expect(text, path).toContain(`Made by ${brand.company}.`)
    expect(text, path).toContain(`© ${year} ${brand.legalEntity}`)
    expect(hiring, path).toBe('Hiring')
    expect(links, path).toEqual(
      expect.arrayContaining([
        ['Videos', brand.videoChannelUrl],
        ['Pricing', '/subscription'],
        [expect.stringContaining('Careers'), '/careers'],
        ['Contact Support', '/contact'],
        ...(isPublic
          ? [
              ['About', '/about'],
              ['Delivery', '/delivery'],
            ]
          : []),
        ['Terms', '/terms'],
        ['Privacy', '/privacy'],
        ['Refunds', '/refunds'],
        // Buyers in the EU have to find the withdrawal on every page.
        ['Withdraw from contract', '/profile?tab=subscription'],
      ]),
    )
  }
})
