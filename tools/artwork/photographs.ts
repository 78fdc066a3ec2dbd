import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { updateProfileEndpoint } from '../../src/contract/account.ts'
import { signInBrowser, useOverDays } from '../../tests/e2e/support/user.ts'
import { askGood } from '../../tests/harness/ask.ts'
import { findBrowser } from '../../tests/harness/find-browser.ts'
import { createUser } from '../../tests/harness/user.ts'
import { startSite } from '../../tests/harness/services.ts'
import { ensureBuilt } from '../launcher/build.ts'
import { root } from '../launcher/settings.ts'

const FOLDER = join(root, 'docs/pictures')
const DAY_MS = 86_400_000

/** A picture's width in the README; it is taken at 1280 px. */
const WIDTH = 1000

/** The page as WebP. The browser encodes it, which saves a package. */
async function photograph(page: Page, encoder: Page): Promise<Buffer> {
  const png = (await page.screenshot({ animations: 'disabled' })).toString('base64')
  const url = await encoder.evaluate(
    async ({ png, width }) => {
      const image = new Image()
      image.src = `data:image/png;base64,${png}`
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = width
      canvas.height = Math.round((image.height * width) / image.width)
      const context = canvas.getContext('2d')
      if (context === null) throw new Error('This browser draws no canvas')
      context.imageSmoothingQuality = 'high'
      context.drawImage(image, 0, 0, canvas.width, canvas.height)
      return canvas.toDataURL('image/webp', 0.86)
    },
    { png, width: WIDTH },
  )
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
}

/** Photographs the landing page and the dashboard in both themes into docs/pictures/, for the README. */
export async function takePhotographs(): Promise<void> {
  await ensureBuilt()
  const site = await startSite()
  const { executablePath, args, env } = await findBrowser()
  const browser = await chromium.launch({ executablePath, args, env })
  try {
    const place = { siteUrl: site.worker.url, databaseUrl: site.sqld.url }
    const paidAt = Date.now() - 40 * DAY_MS
    const user = await createUser({ ...place, hasPlan: true, paidAt })
    await useOverDays(user.userId, 30, place.databaseUrl)
    const names = { firstName: 'Ada', lastName: 'Lovelace' }
    await askGood(user, updateProfileEndpoint, { body: names })
    const encoder = await browser.newPage()
    mkdirSync(FOLDER, { recursive: true })
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const name of ['landing', 'dashboard']) {
        const context = await browser.newContext({
          baseURL: place.siteUrl,
          viewport: { width: 1280, height: 800 },
          colorScheme,
          reducedMotion: 'reduce',
        })
        const page = await context.newPage()
        if (name === 'dashboard') await signInBrowser(page, user.bearer)
        await page.goto(name === 'dashboard' ? '/dashboard' : '/', { waitUntil: 'networkidle' })
        const picture = await photograph(page, encoder)
        const file = `${name}-${colorScheme}.webp`
        writeFileSync(join(FOLDER, file), picture)
        console.log(`docs/pictures/${file}: ${picture.length} bytes`)
        await context.close()
      }
    }
  } finally {
    await browser.close()
    await site.stop()
  }
}
