import { expect, test } from 'vitest'
import { PURCHASE } from '../../src/contract/messages.ts'
import { hold } from './support/hold.ts'
import { createUser, signInAgain } from '../harness/user.ts'
import { openPage } from '../harness/open-page.ts'
import { SIGNED_OUT } from './support/console-errors.ts'
import { expectPath, openAs, registeredUser, signInBrowser } from './support/user.ts'

test('guests are sent from account pages to /login and see nothing of them, signed-in people from guest pages to /dashboard', async () => {
  const { page } = await openPage({ reducedMotion: 'no-preference' })
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
  for (const path of ['/dashboard', '/subscription/success?order_id=x']) {
    await page.goto(path)
    await expectPath(page, '/login')
  }
  await page.getByText(PURCHASE.signInToSee).waitFor()
  expect(seen.filter((line) => !line.startsWith('/login') && !line.endsWith(' 0'))).toEqual([])
  const signedIn = await openPage()
  const { bearer } = await registeredUser()
  await signInBrowser(signedIn.page, bearer)
  for (const path of ['/login', '/reset-password/x']) {
    await signedIn.page.goto(path)
    await expectPath(signedIn.page, '/dashboard')
  }
  // The browser may show a page again that it has kept since before a sign-out.
  await signedIn.page.getByRole('heading', { name: /^Hello/ }).waitFor()
  await signedIn.page.evaluate(() => {
    localStorage.removeItem('token')
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  })
  await expectPath(signedIn.page, '/login')
  // And a page for guests since before a sign-in.
  await signedIn.page.evaluate((token) => {
    localStorage.setItem('token', token)
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  }, bearer)
  await expectPath(signedIn.page, '/dashboard')
})

test('a page that the browser has kept since a sign-out offers to sign out again', async () => {
  const user = await createUser()
  const { page } = await openAs(user.bearer, '/dashboard', { mayLog: SIGNED_OUT })
  // The tests' browser keeps no pages, so this one does not go away.
  await page.route('/', (route) => route.abort('aborted'))
  const left = page.waitForRequest('/')
  await page.getByRole('button', { name: 'Your account' }).click()
  const signOut = page.locator('#user-menu [data-sign-out]')
  await signOut.click()
  await left
  const { bearer } = await signInAgain(user)
  await page.evaluate((token) => {
    localStorage.setItem('token', token)
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  }, bearer)
  await expect.poll(() => signOut.textContent()).toMatch(/^\s*Sign out\s*$/)
  expect(await signOut.getAttribute('aria-disabled')).toBeNull()
})

test('while the session loads, a spinner or a placeholder shows instead of the page, and nothing in the bar moves when the account arrives', async () => {
  const { page } = await openPage()
  await signInBrowser(page, (await registeredUser()).bearer)
  const release = await hold(page, '**/api/auth/me')
  await page.goto('/device')
  await page.locator('.page-wait').waitFor()
  await expect.poll(() => page.locator('main .page').isVisible()).toBe(false)
  await page.goto('/dashboard')
  const shape = page.locator('.dash-use > .shape')
  await shape.waitFor()
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.locator('#user-menu a[aria-current=page]', { hasText: 'Dashboard' }).waitFor()
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
  release()
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  await shape.waitFor({ state: 'detached' })
  await expect.poll(() => page.locator('.bar-name').innerText()).not.toBe('')
  await expect.poll(places).toEqual(before)
})
