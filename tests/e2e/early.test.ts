import { expect, test } from 'vitest'
import { noticesEndpoint, readNoticesEndpoint } from '../../src/contract/notice.ts'
import { openPage, type PageOptions } from '../harness/open-page.ts'
import { SIGNED_OUT } from './support/complaints.ts'
import { hold, holdScripts } from './support/hold.ts'
import {
  expectPath,
  newPerson,
  personWhoPaid,
  personWithPlan,
  registeredPerson,
  signInBrowser,
  openAs,
} from './support/person.ts'

/** Opens a page whose scripts do not arrive before `release` is called. */
async function openHeld(path: string, token = '', options: PageOptions = {}) {
  const opened = await openPage(options)
  const { page } = opened
  if (token !== '') await signInBrowser(page, token)
  const release = await holdScripts(page)
  await page.goto(path, { waitUntil: 'commit' })
  return { ...opened, release }
}

test('"Sign out" pressed before the bar is hydrated signs out as soon as it is', async () => {
  const { bearer } = await registeredPerson()
  const options = { width: 360, mayComplain: SIGNED_OUT }
  const { page, release } = await openHeld('/profile', bearer, options)
  const menu = page.getByRole('button', { name: /^Menu$/ })
  const signOut = page.getByRole('button', { name: 'Sign out' })
  await menu.click()
  await signOut.waitFor()
  // A press outside closes the menu.
  await page.mouse.click(180, 600)
  await signOut.waitFor({ state: 'hidden' })
  await menu.click()
  await signOut.click()
  await expect.poll(() => signOut.getAttribute('aria-busy')).toBe('true')
  release()
  await expectPath(page, '/')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})

test('the bell opened before its script runs counts the notices once it does, lists them and marks them read', async () => {
  const { page, release } = await openHeld('/privacy', (await personWhoPaid()).bearer)
  const answer = await hold(page, `**${noticesEndpoint.path}`)
  const marked = page.waitForResponse(`**${readNoticesEndpoint.path}`)
  await page.getByRole('button', { name: /Notifications/ }).click()
  release()
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor()
  answer()
  await page.getByText('Payment received: Pro.').waitFor()
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  expect((await marked).status()).toBe(200)
})

test('a sign-in submitted too early stays on its page, keeps what was typed, and signs in', async () => {
  const person = await registeredPerson()
  const { page, release } = await openHeld('/login')
  const wanted = page.waitForRequest('**/api/auth/login')
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByLabel('Remember me').check()
  await page.getByLabel('Password', { exact: true }).press('Enter')
  await expect.poll(() => new URL(page.url()).href).toMatch(/\/login$/)
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(person.email)
  release()
  const { email, password } = person
  expect((await wanted).postDataJSON()).toEqual({ email, password, rememberMe: true })
  await expectPath(page, '/dashboard')
})

test('a form submitted too early shows its errors once it is hydrated, and its other buttons are pressed, in order', async () => {
  const { page, release } = await openHeld('/register')
  const { password } = newPerson()
  await page.getByLabel('Username').fill('x')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('button', { name: 'Show Password' }).click()
  await page.getByRole('button', { name: /Google/ }).click()
  release()
  await page.getByRole('dialog', { name: 'Coming Soon' }).waitFor()
  const field = page.locator('input[name=password]')
  await expect.poll(() => field.getAttribute('type')).toBe('text')
  // "Hide, pressed" would say the opposite.
  await page.locator('button:not([aria-pressed])', { hasText: 'Hide Password' }).waitFor()
  await expect.poll(() => field.inputValue()).toBe(password)
  await page.getByText('Username must be at least 3 characters').waitFor()
  await expect.poll(() => page.getByLabel('Username').inputValue()).toBe('x')
})

test('public pages: the menu, a position, the theme, a film and a scene do what they say', async () => {
  const careers = await openHeld('/careers', '', { width: 360, colorScheme: 'light' })
  await careers.page.getByLabel('Theme').selectOption('dark')
  await careers.page.getByRole('button', { name: 'Staff Software Engineer' }).click()
  careers.release()
  await careers.page.getByRole('dialog', { name: 'Staff Software Engineer' }).waitFor()
  await expect
    .poll(() => careers.page.evaluate(() => document.documentElement.dataset.theme))
    .toBe('dark')

  const { page, release } = await openHeld('/', '', { width: 360 })
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('navigation', { name: 'Main' }).getByText('Demo').waitFor()
  expect(await page.locator('.menu-button svg').isVisible()).toBe(false)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Next film' }).click()
  await page.locator('.feature-panel').getByRole('button', { name: 'Sales' }).click()
  release()
  await page.locator('.clip[data-current]', { hasText: 'Design Diagrams' }).waitFor()
  await page.locator('.scenes > [data-current]', { hasText: 'Sales' }).waitFor()
})

test('a page shows at once what the last page showed of this user, marked as such, and nothing of others', async () => {
  const rich = await personWithPlan()
  const { page } = await openAs(rich.bearer, '/dashboard', { mayComplain: SIGNED_OUT })
  await page.getByText('1,000,000 tokens left').waitFor()

  const release = await hold(page, '**/api/auth/me')
  const mark = page.getByText('when you were last here')
  await page.reload()
  await page.getByText('1,000,000 tokens left').waitFor()
  await mark.waitFor()
  await page.getByRole('heading', { name: `Hello, ${rich.username}` }).waitFor()

  const other = await registeredPerson()
  await page.evaluate((token) => localStorage.setItem('token', token), other.bearer)
  await page.reload()
  await page.getByRole('heading', { name: 'Hello,' }).waitFor()
  expect(await page.locator('main').innerText()).not.toContain('1,000,000')

  release()
  await page.getByRole('heading', { name: `Hello, ${other.username}` }).waitFor()
  expect(await mark.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expectPath(page, '/')
  expect(await page.evaluate(() => localStorage.getItem('last-known'))).toBeNull()
})
