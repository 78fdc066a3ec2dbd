import { expect, test } from 'vitest'
import { openPage } from '../harness/open-page.ts'
import { FAILED, REFUSED } from './support/complaints.ts'
import { expectPath, registeredPerson, signInBrowser } from './support/person.ts'

test('the bar shows for signed-in people on public pages too, but not on the landing page', async () => {
  const { page } = await openPage()
  const bar = page.locator('[data-account-nav]')
  await page.goto('/subscription')
  expect(await bar.isVisible()).toBe(false)
  await signInBrowser(page, (await registeredPerson()).token)
  for (const path of ['/subscription', '/contact', '/privacy', '/download']) {
    await page.goto(path)
    await bar.waitFor()
  }
  await page.goto('/')
  expect(await bar.count()).toBe(0)
})

test('the user menu names the account, and closes when a link in it is clicked', async () => {
  const { page } = await openPage()
  const person = await registeredPerson()
  await signInBrowser(page, person.token)
  await page.goto('/profile')
  await page.getByRole('heading', { name: 'Account settings' }).waitFor()
  await page.getByRole('button', { name: 'Your account' }).click()
  const menu = page.locator('#user-menu')
  await menu.getByText(person.email).waitFor()
  const names = await menu.getByRole('link').allInnerTexts()
  expect(names).toEqual(['Dashboard', 'Profile', 'Subscription', 'Settings'])
  await menu.getByRole('link', { name: 'Settings' }).click()
  await expectPath(page, '/settings')
  expect(await menu.isVisible()).toBe(false)
})

test('nothing in the bar or its menus moves when the account arrives', async () => {
  const { page } = await openPage()
  await signInBrowser(page, (await registeredPerson()).token)
  const { promise: held, resolve: release } = Promise.withResolvers<undefined>()
  await page.route('**/api/auth/me', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Your account' }).click()
  const places = () =>
    page.evaluate(() => {
      const found = document.querySelectorAll('.account-bar :is(a, button, .bar-tools)')
      return Array.from(found, (element) => {
        const { x, y, width, height } = element.getBoundingClientRect()
        return [x, y, width, height]
      }).filter(([, , width]) => width !== 0)
    })
  const before = await places()
  expect(before.length).toBeGreaterThan(10)
  release(undefined)
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  await expect.poll(() => page.locator('.bar-name').innerText()).not.toBe('')
  expect(await places()).toEqual(before)
})

test('the mobile menu opens over the page, and a tap outside closes it', async () => {
  const { page } = await openPage({ width: 360, height: 780 })
  await signInBrowser(page, (await registeredPerson()).token)
  await page.goto('/dashboard')
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  const menu = page.locator('#account-menu')
  expect(await menu.getByRole('link').allInnerTexts()).toEqual(['Dashboard', 'Plans', 'Profile'])
  await menu.getByRole('button', { name: 'Sign out' }).waitFor()
  await page.mouse.click(180, 700)
  await menu.waitFor({ state: 'hidden' })
})

test('a spinner takes the place of the page while the session loads', async () => {
  const { page } = await openPage()
  await signInBrowser(page, (await registeredPerson()).token)
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/auth/me', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/dashboard')
  await page.locator('.page-wait').waitFor()
  expect(await page.locator('main .page').isVisible()).toBe(false)
  release()
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  expect(await page.locator('.page-wait').isVisible()).toBe(false)
})

test('a guest sees nothing of a page for signed-in people before it is left', async () => {
  const { page } = await openPage()
  const seen: string[] = []
  await page.exposeFunction('saw', (text: string) => seen.push(text))
  await page.addInitScript(() => {
    addEventListener('pagereveal', () => {
      requestAnimationFrame(() => {
        const main = document.querySelector<HTMLElement>('main .page')
        Reflect.get(window, 'saw')(`${location.pathname} ${main?.offsetHeight ?? 0}`)
      })
    })
  })
  await page.goto('/dashboard')
  await expectPath(page, '/login')
  expect(seen.filter((line) => line.startsWith('/dashboard') && !line.endsWith(' 0'))).toEqual([])
})

test('offline says so, keeps the session and recovers by itself', async () => {
  const { page } = await openPage({ mayComplain: FAILED })
  await signInBrowser(page, (await registeredPerson()).token)
  await page.route('**/api/auth/me', (route) => route.abort())
  await page.goto('/dashboard')
  await page.getByRole('heading', { name: 'We cannot reach the server' }).waitFor()
  expect(await page.evaluate(() => localStorage.getItem('token'))).not.toBeNull()
  await page.unroute('**/api/auth/me')
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
})

test('a part that cannot load leaves the rest of the dashboard standing', async () => {
  const { page } = await openPage({ mayComplain: FAILED })
  await signInBrowser(page, (await registeredPerson()).token)
  await page.route('**/api/usage?*', (route) => route.fulfill({ status: 500, body: '' }))
  await page.goto('/dashboard')
  await page.getByText('We could not load your usage.').waitFor()
  await page.getByText('Nothing bought yet').waitFor()
  await page.unroute('**/api/usage?*')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await page.getByText('No tokens used yet').waitFor()
})

test('a toast can be dismissed, and goes by itself after its time', async () => {
  const { page } = await openPage({ mayComplain: REFUSED })
  await page.goto('/login')
  await page.getByLabel('Email').fill('nobody@example.test')
  await page.getByLabel('Password', { exact: true }).fill('Wrong-line-1')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const toast = page.locator('.toast', { hasText: 'Invalid email or password' })
  await toast.waitFor()
  const box = await toast.boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(1_200)
  expect(box?.y ?? 999).toBeLessThan(150)
  await toast.waitFor({ state: 'detached', timeout: 7_000 })
})

test('unknown pages lead to the landing page', async () => {
  const { page } = await openPage()
  await page.goto('/no-such-page')
  await expectPath(page, '/')
})
