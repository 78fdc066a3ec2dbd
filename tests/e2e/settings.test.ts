import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { brand } from '../../site/brand.ts'
import { FIELD } from '../../src/contract/field-messages.ts'
import { TOAST } from '../../src/contract/messages.ts'
import { createUser, type TestUser, signInAgain } from '../harness/user.ts'
import { openPage, type PageOptions } from '../harness/open-page.ts'
import { FAILED, REJECTED } from './support/console-errors.ts'
import { UNUSUAL, viewing } from './support/unusual-viewers.ts'
import { expectFocus } from './support/focus.ts'
import { hold } from './support/hold.ts'
import { logoutEndpoint } from '../../src/contract/session.ts'
import { askGood } from '../harness/ask.ts'
import {
  expectPath,
  openAs,
  registeredUser,
  signIn,
  signInBrowser,
  userWithPlan,
} from './support/user.ts'

async function openSettings(
  path: string,
  user: Pick<TestUser, 'bearer'>,
  options: PageOptions = {},
) {
  const opened = await openAs(user.bearer, path, options)
  await opened.page.getByRole('heading', { name: 'Account settings' }).waitFor()
  return opened
}

/** The links of a part of the page as [text, href]. */
const linksOf = (page: Page, place: string) =>
  page
    .locator(`${place} a`)
    .evaluateAll((links) =>
      links.map((link) => [link.textContent.trim(), link.getAttribute('href')] as const),
    )

test('the profile is read-only until it is edited; Cancel changes nothing, Save does, and the bar shows it with the links of the account', async () => {
  const user = await registeredUser()
  const { page } = await openSettings('/profile', user)
  await expect.poll(() => page.title()).toBe(`Profile · Account settings · ${brand.productName}`)
  await expect.poll(() => page.locator('main input').count()).toBe(0)
  await page.getByRole('button', { name: 'Edit profile' }).click()
  await expectFocus(page.getByLabel('First name'))
  await expect.poll(() => page.getByLabel('Username').count()).toBe(0)
  await page.getByLabel('First name').fill('Ada')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => page.locator('main').innerText()).not.toContain('Ada')
  await page.getByText('Not filled in: first name, last name, phone, bio').waitFor()

  await page.getByRole('button', { name: 'Edit profile' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(FIELD.lastNameRequired).waitFor()
  // The first letter has two UTF-16 units.
  await page.getByLabel('First name').fill('𐐀da')
  await page.getByLabel('Last name').fill('Lovelace')
  await page.getByLabel('Bio').fill('Engines')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Profile saved').waitFor()
  await expectFocus(page.getByRole('button', { name: 'Edit profile' }))
  await expect.poll(() => page.locator('main').innerText()).toContain('Lovelace')
  await page.getByText(/Not filled in: phone(?!.*bio)/).waitFor()

  const home = page.locator('.account-bar .home')
  expect(await home.getAttribute('href')).toBe('/dashboard')
  expect(await linksOf(page, '.bar-links')).toEqual([
    ['Dashboard', '/dashboard'],
    ['Plans', '/subscription'],
    ['Profile', '/profile'],
  ])
  // Where they have no room, a menu has them.
  await page.setViewportSize({ width: 800, height: 800 })
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.locator('.bar-links').getByRole('link', { name: 'Plans' }).waitFor()
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1280, height: 800 })
  const button = page.getByRole('button', { name: 'Your account' })
  await expect.poll(() => button.innerText()).toMatch(/^𐐀\s+𐐀da/u)
  await button.click()
  const menu = page.locator('#user-menu')
  await menu.getByText('𐐀da Lovelace', { exact: true }).waitFor()
  await menu.getByText(user.email, { exact: true }).waitFor()
  expect(await linksOf(page, '#user-menu')).toEqual([
    ['Dashboard', '/dashboard'],
    ['Profile', '/profile'],
    ['Subscription', '/profile?tab=subscription'],
    ['Settings', '/settings'],
  ])
  await menu.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('heading', { name: 'Preferences' }).waitFor()
  expect(await menu.isVisible()).toBe(false)
  await page.goto('/dashboard')
  await page.getByRole('heading', { name: 'Hello, 𐐀da' }).waitFor()
  const bell = page.getByRole('button', { name: 'Notifications' })
  const notices = page.locator('#notices')
  const isOpen = () => notices.evaluate((one) => one.matches(':popover-open'))
  await bell.press('Enter')
  await notices.getByText('Nothing yet').waitFor()
  expect(await isOpen()).toBe(true)
  await page.keyboard.press('Tab')
  // A long list is scrolled with the arrow keys.
  await page.locator('#notices:focus').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect.poll(isOpen).toBe(false)
})

test('a profile that was not saved before a reload, or before the session ended, is still in the form', async () => {
  const user = await registeredUser()
  const { page } = await openSettings('/profile', user, { mayLog: REJECTED })
  await page.getByRole('button', { name: 'Edit profile' }).click()
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Lovelace')
  await page.reload()
  const bio = page.getByLabel('Bio')
  await bio.fill('Engines')
  await askGood(user, logoutEndpoint)
  await page.getByRole('button', { name: 'Save' }).click()
  await expectPath(page, '/login')
  await signIn(page, user)
  await expect.poll(() => bio.inputValue()).toBe('Engines')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Profile saved').waitFor()
  await page.reload()
  await page.getByText('Ada').first().waitFor()
  expect(await bio.count()).toBe(0)
})

test('more purchases are shown at a press, and a plan is cancelled and reactivated, each after a confirmation', async () => {
  const { page } = await openPage()
  await signInBrowser(page, (await userWithPlan()).bearer)
  await page.route('**/api/payment/purchases*', async (route) => {
    const url = new URL(route.request().url())
    const isFirst = !url.searchParams.has('cursor')
    url.searchParams.delete('cursor')
    const answer = await route.fetch({ url: url.href })
    const [old, own] = isFirst ? ['"nextCursor":null', '"nextCursor":"2"'] : ['"pur_', '"pur_2']
    await route.fulfill({ response: answer, body: (await answer.text()).replace(old, own) })
  })
  await page.goto('/profile?tab=subscription')
  await page.getByRole('columnheader', { name: 'Date (India time)' }).waitFor()
  await page.getByText(/^Pro, R-\d+$/).waitFor()
  await page.getByRole('button', { name: 'Show more' }).press('Enter')
  await expectFocus(page.locator('tbody > tr').nth(1))
  await page.getByText('Cancelling does not refund you').waitFor()
  await page.getByRole('button', { name: 'Cancel subscription' }).click()
  await page.getByText('This is not a refund').waitFor()
  // The focus stays near a button that is gone.
  const opener = page.getByText('Cancel subscription', { exact: true })
  await opener.evaluate((button) => button.style.setProperty('display', 'none'))
  await page.keyboard.press('Escape')
  await page.locator('section:focus', { hasText: 'Tokens left' }).waitFor()
  await opener.evaluate((button) => button.style.removeProperty('display'))
  await page.getByRole('button', { name: 'Cancel subscription' }).click()
  await page.getByRole('button', { name: 'Cancel my plan' }).click()
  await page.getByText(TOAST.cancelled).waitFor()
  await page.getByText('Ends on').waitFor()
  await expectFocus(page.getByRole('button', { name: 'Reactivate subscription' }))
  await page.goto('/dashboard')
  await page.getByText(/^Active\. Ends on /).waitFor()
  await page.getByRole('link', { name: 'Reactivate' }).click()
  await page.getByRole('button', { name: 'Reactivate subscription' }).click()
  await page.getByRole('button', { name: 'Not now', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Reactivate', exact: true }).click()
  await page.getByText(TOAST.reactivated).waitFor()
  await expectFocus(page.getByRole('button', { name: 'Cancel subscription' }))
})

test.each(UNUSUAL)(
  '%s, the password is changed in a dialog without a way out while it is sent',
  async (_who, options) => {
    const user = await registeredUser()
    const { page } = await openSettings('/profile?tab=security', user, viewing(options, REJECTED))
    const change = page.getByRole('button', { name: 'Change password' })
    await change.waitFor()
    await expect.poll(() => page.locator('main input').count()).toBe(0)
    await change.click()
    const dialog = page.getByRole('dialog', { name: 'Change password' })
    await expectFocus(dialog.getByLabel('Current password'))
    await dialog.getByLabel('Current password').fill('Wrong-line-1')
    await dialog.getByLabel('New password', { exact: true }).fill('Other-line-2')
    await page.keyboard.press('Enter')
    await page.getByText('Your current password is incorrect.').waitFor()
    await dialog.getByLabel('Current password').fill(user.password)
    // No way out while it is sent.
    const release = await hold(page, '**/api/auth/change-password')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Saving…' }).waitFor()
    for (let times = 0; times < 2; times += 1) await page.keyboard.press('Escape')
    expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
    release()
    await page.getByText('Password changed. Your other devices were signed out.').waitFor()
    await expectFocus(change)
  },
)

test('sessions are listed with this device marked, and can be ended; the export is downloaded as a file', async () => {
  const user = await createUser()
  for (let others = 0; others < 3; others += 1) await signInAgain(user)
  const { page } = await openSettings('/profile', user, { mayLog: FAILED })
  await page.route('**/api/auth/sessions', (route) => route.abort(), { times: 1 })
  await page.locator('.tabs').getByRole('link', { name: 'Security' }).click()
  const again = page.getByRole('button', { name: 'Try Again' })
  await again.waitFor()
  await again.press('Enter')
  await page.locator('section:focus', { hasText: 'Where you are signed in' }).waitFor()
  await page.getByText('This device').waitFor()
  const rows = page.locator('section', { hasText: 'Where you are signed in' }).getByRole('listitem')
  await expect.poll(() => rows.count()).toBe(4)
  const list = page.getByRole('list').filter({ has: page.getByText('This device') })
  await page
    .getByRole('button', { name: /^End the session/ })
    .first()
    .click()
  await page.getByText('Session ended').waitFor()
  await expect.poll(() => rows.count()).toBe(3)
  await expectFocus(list)
  await page.getByRole('button', { name: 'End all other sessions' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End all other sessions' }).click()
  await expect.poll(() => rows.count()).toBe(1)
  await expectFocus(list)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export my data' }).click()
  expect((await download).suggestedFilename()).toMatch(/^account-data-\d{4}-\d\d-\d\d\.json$/)
})

test('a theme chosen in the footer is saved with the account, and one chosen in the settings is that of the footer', async () => {
  const { page } = await openSettings('/profile?tab=preferences', await registeredUser())
  const footer = page.locator('footer').getByLabel('Theme')
  const setting = page.locator('main').getByLabel('Theme')
  // Screen readers speak what comes into a region that is there.
  await page.locator('.toasts:popover-open [role=status]').waitFor({ state: 'attached' })
  const saved = page.waitForResponse('**/api/auth/preferences')
  await footer.selectOption('dark')
  await saved
  await expect.poll(() => setting.inputValue()).toBe('dark')
  await setting.selectOption('light')
  await page.getByText('Preferences saved').waitFor()
  await expect.poll(() => footer.inputValue()).toBe('light')
})
