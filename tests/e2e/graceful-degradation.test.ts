import { expect, test } from 'vitest'
import { brand } from '../../site/brand.ts'
import { hold } from './support/hold.ts'
import { openPage, stopClock } from '../harness/open-page.ts'
import { FAILED } from './support/console-errors.ts'
import { registeredUser, signInBrowser } from './support/user.ts'

test('a part that cannot load leaves the rest of the dashboard working, and a slow one shows that it is loading', async () => {
  const { page } = await openPage({ reducedMotion: 'no-preference', mayLog: FAILED })
  await signInBrowser(page, (await registeredUser()).bearer)
  await page.route('**/api/usage?*', (route) => route.fulfill({ status: 500, body: '' }))
  const release = await hold(page, '**/api/payment/purchases?*')
  await page.goto('/dashboard')
  const failed = page.getByText('We could not load your usage.')
  await failed.waitFor()
  await page.getByText('Loading your purchases…').waitFor()
  release()
  await page.getByText('No purchases yet').waitFor()
  await page.unroute('**/api/usage?*')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await failed.waitFor({ state: 'detached' })
})

test('without a network the page says so, keeps the session and recovers', async () => {
  const { page } = await openPage({ mayLog: FAILED })
  await signInBrowser(page, (await registeredUser()).bearer)
  await page.route('**/api/auth/me', (route) => route.abort())
  // "Try Again" does not wait for the next time that the page tries by itself.
  await stopClock(page)
  await page.goto('/dashboard')
  const away = page.getByRole('heading', { name: 'We cannot reach the server' })
  // The scripts of a page start by its clock.
  await expect
    .poll(async () => {
      await page.clock.runFor(100)
      return away.count()
    })
    .toBe(1)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).not.toBeNull()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try Again' }).click()
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
})

test('without JavaScript account pages say what is missing and link to pages that work, a position is read in full, and the landing page asks for nothing that needs it', async () => {
  const { page } = await openPage({ javaScriptEnabled: false })
  for (const path of ['/login', '/profile']) {
    await page.goto(path)
    await page.getByRole('heading', { name: 'This page needs JavaScript', level: 1 }).waitFor()
    const said = await page.locator('main').innerText()
    expect(said, path).toContain('Please turn JavaScript on and reload')
    await expect
      .poll(() => page.locator('main form').filter({ visible: true }).count(), { message: path })
      .toBe(0)
    const ways = await page.locator('main a').filter({ visible: true }).allInnerTexts()
    expect(ways, path).toEqual([brand.supportEmail, 'Home', 'Plans'])
  }
  await page.goto('/careers')
  await page.getByRole('link', { name: 'Staff Software Engineer' }).click()
  const position = page.getByRole('heading', { name: 'Staff Software Engineer', level: 2 })
  await expect.poll(async () => (await position.boundingBox())?.y).toBeLessThan(800)
  await page.goto('/')
  const idle = page.locator('main').getByText(/Drag the handle|Pick what they say/)
  const slider = page.locator('main input[type=range]')
  expect(await idle.or(slider).filter({ visible: true }).count()).toBe(0)
})
