import { expect, test } from 'vitest'
import { PURCHASE, TOAST } from '../../src/contract/messages.ts'
import { SESSION } from '../../src/contract/session-messages.ts'
import { openPage } from '../harness/open-page.ts'
import { SIGNED_OUT } from './support/console-errors.ts'
import { UNUSUAL, viewing } from './support/unusual-viewers.ts'
import { expectPath, registeredUser, signIn } from './support/user.ts'

test.each(UNUSUAL)(
  '%s, signing in goes to the dashboard and keeps the bearer token in local storage as "token", and signing out goes to the landing page and removes it',
  async (_who, options) => {
    const { page } = await openPage(viewing(options, SIGNED_OUT))
    const user = await registeredUser()
    await page.goto('/login')
    await signIn(page, user)
    await page.getByText(TOAST.loggedIn).waitFor()
    await expectPath(page, '/dashboard')
    const kept = await page.evaluate(() => Object.entries(localStorage))
    // A bearer token has three parts with dots between them.
    expect(kept.filter(([, value]) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(value))).toEqual([
      ['token', expect.any(String)],
    ])

    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText(SESSION.loggedOut).waitFor()
    await expectPath(page, '/')
    await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
    await page.goBack()
    await expectPath(page, '/login')
  },
)

test('a guest who wants to withdraw from a contract is told why to sign in; the form has an unchecked "Remember me", its links, and announces Google', async () => {
  const { page } = await openPage()
  await page.goto('/about')
  await page.getByRole('link', { name: 'Withdraw from contract' }).click()
  await expectPath(page, '/login')
  await page.getByText(PURCHASE.signInToWithdraw).waitFor()
  await expect.poll(() => page.getByLabel('Remember me').isChecked()).toBe(false)
  const links = page.locator('main a')
  expect(
    await links.evaluateAll((found) =>
      found.map((link) => [
        link.textContent.trim(),
        link instanceof HTMLAnchorElement ? link.pathname : null,
      ]),
    ),
  ).toEqual([
    ['Create an account', '/register'],
    ['Forgot your password?', '/forgot-password'],
    ['terms', '/terms'],
    ['privacy page', '/privacy'],
  ])
  await page.getByRole('button', { name: 'Sign in with Google' }).click()
  await page.getByRole('dialog', { name: 'Coming Soon' }).waitFor()
  await expectPath(page, '/login')
})
