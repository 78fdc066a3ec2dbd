import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../harness/open-page.ts'
import { NOT_LOADED } from './support/complaints.ts'
import { personWithPlan, registeredPerson, signInBrowser } from './support/person.ts'

const SENTENCE = 'Part of this page did not load.'

/** Blocks the scripts that match the pattern, until the returned function is called. */
async function cutOff(page: Page, pattern: RegExp): Promise<() => Promise<void>> {
  await page.route(pattern, (route) => route.abort())
  return () => page.unroute(pattern)
}

async function openCutOff(path: string, pattern: RegExp) {
  const { page } = await openPage({ mayComplain: NOT_LOADED })
  await signInBrowser(page, (await registeredPerson()).token)
  const mend = await cutOff(page, pattern)
  await page.goto(path)
  return { page, mend }
}

const ISLANDS = /_astro\/(react|Success|Settings|Dashboard).*\.js/
const ALL = /_astro\/.*\.js/

test.each([
  { path: '/dashboard', pattern: ALL, title: /^Hello/ },
  { path: '/profile', pattern: ISLANDS, title: 'Account settings' },
])('$path without $pattern says so once, and Try Again works when they load', async (row) => {
  const { page, mend } = await openCutOff(row.path, row.pattern)
  await page.getByRole('alert').getByText(SENTENCE).waitFor()
  await mend()
  await page.getByRole('link', { name: 'Try Again' }).click()
  await page.getByRole('heading', { level: 1, name: row.title }).waitFor()
  await expect.poll(() => page.getByText(SENTENCE).count()).toBe(0)
  await expect.poll(() => page.url()).toContain(row.path)
})

test('without the script of the bar the page says so', async () => {
  const { page } = await openCutOff('/dashboard', /_astro\/shell.*\.js/)
  await page.getByRole('alert').getByText(SENTENCE).waitFor()
  await page.unrouteAll()
  await cutOff(page, /_astro\/notice-panel.*\.js/)
  await page.getByRole('link', { name: 'Try Again' }).click()
  await page.getByRole('heading', { name: 'Your plan' }).waitFor()
  await page.getByRole('button', { name: /Notifications/ }).click()
  await page.getByText('We could not load your notifications. Please reload the page.').waitFor()
  await cutOff(page, /_astro\/(start-)?shell.*\.js/)
  await page.goto('/privacy')
  await page.getByRole('alert').getByText(SENTENCE).waitFor()
})

test('a form whose script does not load says so in its place', async () => {
  const { page } = await openPage({ mayComplain: NOT_LOADED })
  await cutOff(page, ALL)
  for (const path of ['/login', '/contact', '/subscription']) {
    await page.goto(path)
    if (path === '/contact') await page.getByLabel('Email').focus()
    await page.locator('main').getByText(SENTENCE).waitFor()
    await expect.poll(() => page.getByText(SENTENCE).count(), { message: path }).toBe(1)
  }
  await page.unrouteAll()
  await cutOff(page, /_astro\/ApplyForm.*\.js/)
  await page.goto('/careers')
  await page.getByRole('button', { name: 'Staff Software Engineer' }).click()
  const dialog = page.getByRole('dialog', { name: 'Staff Software Engineer' })
  await dialog.getByRole('button', { name: 'Apply Now' }).hover()
  await dialog.getByText(SENTENCE).waitFor()
})

test('without the script of the token purchase the dashboard stays, and the button tries again', async () => {
  const { page } = await openPage({ mayComplain: NOT_LOADED })
  await signInBrowser(page, (await personWithPlan()).token)
  const mend = await cutOff(page, /_astro\/TokenPurchasePanel.*\.js/)
  await page.goto('/dashboard')
  const opener = page.getByRole('button', { name: 'Purchase More Tokens' })
  await opener.click()
  await page
    .getByText('We could not show the purchase. The rest of the page still works.')
    .waitFor()
  await page.getByRole('heading', { name: 'Your plan' }).waitFor()
  await mend()
  await opener.click()
  await page.getByRole('dialog', { name: 'Purchase More Tokens' }).waitFor()
})

test('a tab whose script does not load says so and can be tried again', async () => {
  const { page, mend } = await openCutOff('/profile', /_astro\/SecurityTab.*\.js/)
  const tabs = page.getByRole('navigation', { name: 'Settings' })
  await tabs.getByRole('link', { name: 'Security' }).click()
  await page.getByText('We could not show this tab. The rest of the page still works.').waitFor()
  await mend()
  await page.getByRole('link', { name: 'Try Again' }).click()
  await page.getByRole('heading', { name: 'How you sign in' }).waitFor()
})
