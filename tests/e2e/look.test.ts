import { afterAll, describe, test } from 'vitest'
import { openPage } from '../harness/open-page.ts'
import { PUBLIC_PATHS } from './site/pages.ts'
import { openSettled } from './site/settled.ts'
import { openAlbum } from './support/album.ts'
import { FAILED, REFUSED } from './support/complaints.ts'
import { registeredPerson, resetPath, signInBrowser } from './support/person.ts'
import {
  busyMember,
  BUYER_SCREENS,
  GUEST_SCREENS,
  NEWCOMER_SCREENS,
  newPasswordScreen,
  type Screen,
} from './support/screens.ts'

// `npm run look`: a picture of every page and state in both themes and at four widths, for people to look at.

const WIDTHS = [360, 768, 1280, 1920]
const THEMES = ['light', 'dark'] as const

const PUBLIC_SCREENS: Screen[] = PUBLIC_PATHS.map((path) => ({ path, heading: /./ }))

describe.skipIf(process.env['LOOK'] === undefined)('look', () => {
  const album = openAlbum()
  afterAll(album.close)

  const photograph = async (who: string, screens: Screen[], token?: string) => {
    const mayComplain = new RegExp(`${REFUSED.source}|${FAILED.source}`)
    const { page } = await openPage({ reducedMotion: 'reduce', mayComplain })
    if (token !== undefined) await signInBrowser(page, token)
    for (const [index, { path, heading, open }] of screens.entries()) {
      await openSettled(page, path)
      await page.getByRole('heading', { name: heading }).first().waitFor()
      await open?.(page)
      await page.waitForLoadState('networkidle')
      await page.evaluate(hideWhatIsRandom)
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 })
        for (const colorScheme of THEMES) {
          await page.emulateMedia({ colorScheme })
          const hasDialog = (await page.locator('dialog[open]').count()) > 0
          const picture = await page.screenshot({ fullPage: !hasDialog, animations: 'disabled' })
          album.add(`${who} ${index + 1} ${path} ${width} ${colorScheme}`, picture)
        }
      }
    }
  }

  test('public pages', () => photograph('public', PUBLIC_SCREENS), 900_000)

  test('guest', async () => {
    const { email } = await registeredPerson()
    await photograph('guest', [...GUEST_SCREENS, newPasswordScreen(await resetPath(email))])
  }, 900_000)

  test('newcomer', async () => {
    await photograph('newcomer', NEWCOMER_SCREENS, (await registeredPerson()).token)
  }, 900_000)

  test('buyer', async () => {
    await photograph('buyer', BUYER_SCREENS, (await busyMember()).bearer)
  }, 900_000)
})

/** Runs in the page: names and numbers of this run alone would make each picture differ from the last. */
function hideWhatIsRandom() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    node.nodeValue = node.nodeValue?.replaceAll(/\b[mp]_[0-9a-z]+|R-\d+-?\d*/g, 'someone') ?? null
  }
}
