import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../harness/open-page.ts'
import { TAX } from '../harness/fixture/taxed.ts'
import { userWithInvoice } from './support/invoice.ts'
import { signInBrowser } from './support/user.ts'

/** The pages that Chromium prints. */
async function pagesOf(page: Page, format: 'A4' | 'Letter'): Promise<number> {
  const paper = await page.pdf({ format })
  return paper.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
}

/** The smallest letters on paper, in points. */
async function smallestLetters(page: Page): Promise<number> {
  await page.emulateMedia({ media: 'print' })
  const pixels = await page
    .locator('.receipt :is(h1, p, dt, dd, th, td)')
    .filter({ visible: true })
    .evaluateAll((parts) => parts.map((part) => parseFloat(getComputedStyle(part).fontSize)))
  return Math.min(...pixels) * 0.75
}

test('the longest tax invoice prints on one page of A4 and of US Letter, in letters of eight points or more', async () => {
  const { page } = await openPage()
  const user = await userWithInvoice()
  await signInBrowser(page, user.bearer)
  await page.route('**/api/payment/receipts/*', async (route) => {
    const answer = await route.fetch()
    // A purchase has one line at present; the contract has room for more.
    const more = ['second', 'third', 'fourth'].map(
      (nth) =>
        `{"description":"A ${nth} line, about as long as the first","quantity":1,"amount":1},`,
    )
    const text = (await answer.text()).replace('"lines":[', `"lines":[${more.join('')}`)
    await route.fulfill({ response: answer, body: text })
  })
  const announcement = { version: 7, text: 'We are moving on Sunday.', until: null }
  await page.route('**/api/announcement', (route) =>
    route.fulfill({ json: { success: true, announcement } }),
  )
  await page.goto(user.path)
  await page.locator('.banner').waitFor()
  await page.getByRole('heading', { name: /^Tax invoice R\/\d\d-\d\d\/\d{6}$/ }).waitFor()
  // The name of the file in which it is saved.
  expect(await page.title()).toMatch(/^Receipt R\/\d\d-\d\d\/\d{6} · /)
  const sheet = await page.locator('.receipt').innerText()
  for (const said of [TAX.gstin, TAX.sac, 'CGST 9%', 'SGST 9%', user.email, 'Rupees two thousand'])
    expect(sheet).toContain(said)
  expect(sheet.match(/Credit note C\//g)).toHaveLength(2)
  await page.setViewportSize({ width: 360, height: 780 })
  const widths = () =>
    page.locator('.receipt dd').evaluateAll((all) => all.map((one) => one.clientWidth))
  await expect.poll(async () => Math.min(...(await widths()))).toBeGreaterThan(100)
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect.poll(() => pagesOf(page, 'A4')).toBe(1)
  await expect.poll(() => pagesOf(page, 'Letter')).toBe(1)
  await expect.poll(() => smallestLetters(page)).toBeGreaterThanOrEqual(8)
  // Hidden, it cut the first letter along a round corner.
  const receipt = page.locator('.receipt')
  expect(await receipt.evaluate((one) => getComputedStyle(one).overflowX)).toBe('visible')
  // Ink, whatever theme the reader chose.
  await page.evaluate(() => {
    document.documentElement.dataset.theme = 'dark'
  })
  const ink = () => page.locator('.receipt h1').evaluate((one) => getComputedStyle(one).color)
  await expect.poll(ink).toBe('rgb(20, 19, 15)')
  const printed = await page.locator('body').innerText()
  for (const word of ['Dashboard', 'Careers', 'Print', 'Skip to content']) {
    expect(printed).not.toContain(word)
  }
})
