import { expect, test } from 'vitest'
import { noticesEndpoint, readNoticesEndpoint } from '../../src/contract/notice.ts'
import { openPage, type PageOptions } from '../harness/open-page.ts'
import { hold, holdScripts } from './support/hold.ts'
import { asTranslated } from './support/unusual-viewers.ts'
import { expectPath, userWhoPaid, registeredUser, signInBrowser } from './support/user.ts'

/** Opens a page whose scripts do not arrive before `release` is called. */
async function openHeld(path: string, token = '', options: PageOptions = {}) {
  const opened = await openPage(options)
  const { page } = opened
  if (token !== '') await signInBrowser(page, token)
  const release = await holdScripts(page)
  await page.goto(path, { waitUntil: 'commit' })
  return { ...opened, release }
}

test('the bell opened before its script runs counts the notices once it does, lists them and marks them read', async () => {
  const { page, release } = await openHeld('/privacy', (await userWhoPaid()).bearer)
  const answer = await hold(page, `**${noticesEndpoint.path}`)
  const marked = page.waitForResponse(`**${readNoticesEndpoint.path}`)
  await page.getByRole('button', { name: /Notifications/ }).click()
  release()
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor()
  answer()
  await page.getByText(/^Payment received: .* for Pro\.$/).waitFor()
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  expect((await marked).status()).toBe(200)
})

test('a form keeps what was typed before its script arrived, and is sent once it is there', async () => {
  const user = await registeredUser()
  const { page, release } = await openHeld('/login')
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByLabel('Remember me').check()
  await page.getByLabel('Password', { exact: true }).press('Enter')
  const signIn = page.getByRole('button', { name: 'Sign in', exact: true })
  expect(await signIn.isDisabled()).toBe(true)
  expect(new URL(page.url()).pathname).toBe('/login')
  const wanted = page.waitForRequest('**/api/auth/login')
  release()
  await signIn.click()
  const { email, password } = user
  expect((await wanted).postDataJSON()).toEqual({ email, password, rememberMe: true })
  await expectPath(page, '/dashboard')
})

test('what was filled in early is kept where a translator has wrapped the texts of the form', async () => {
  const options = { prepare: asTranslated, mayLog: /Minified React error #418/ }
  const { page, release } = await openHeld('/login', '', options)
  await page.locator('main label font').first().waitFor()
  await page.getByLabel('Email').fill('early@example.com')
  await page.getByLabel('Remember me').check()
  const password = page.getByLabel('Password', { exact: true })
  await password.evaluate(fillWhenReplaced, 'typed at the last moment')
  release()
  await page.getByRole('button', { name: 'Sign in', exact: true, disabled: false }).waitFor()
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('early@example.com')
  expect(await page.getByLabel('Remember me').isChecked()).toBe(true)
  await page.keyboard.type('!')
  expect(await password.inputValue()).toBe('typed at the last moment!')
})

/** Focuses a field and fills it in just before React empties its island to write it anew. */
function fillWhenReplaced(field: Element, text: string) {
  const island = field.closest('astro-island')
  const { set } = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent') ?? {}
  if (!(field instanceof HTMLInputElement) || island === null) throw new Error('no field')
  Object.defineProperty(island, 'textContent', {
    set: (value: string) => {
      field.focus()
      field.value = text
      set?.call(island, value)
    },
  })
}

test('public pages: the menu and the theme do what they say before any script', async () => {
  const { page, release } = await openHeld('/careers', '', { width: 360, colorScheme: 'light' })
  await page.getByLabel('Theme').selectOption('dark')
  release()
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')

  const landing = await openHeld('/', '', { width: 360 })
  await landing.page.getByRole('button', { name: 'Menu' }).click()
  await landing.page.getByRole('navigation', { name: 'Main' }).getByText('Demo').waitFor()
  expect(await landing.page.locator('.menu-button svg').isVisible()).toBe(false)
  landing.release()
})
