import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sessions } from '../../edge-api/db/schema/sessions.ts'
import { PURCHASE, TOAST } from '../../src/contract/messages.ts'
import { openPage } from '../harness/open-page.ts'
import { database } from '../harness/stored.ts'
import { REFUSED, SIGNED_OUT } from './support/complaints.ts'
import { UNUSUAL, viewing } from './support/unusual-viewers.ts'
import { expectPath, registeredPerson, signIn, openAs } from './support/person.ts'

test.each(UNUSUAL)(
  '%s, signing in goes to the dashboard and keeps the bearer token in local storage as "token", and signing out goes to the landing page and removes it',
  async (_who, options) => {
    const { page } = await openPage(viewing(options, SIGNED_OUT))
    const person = await registeredPerson()
    await page.goto('/login')
    await signIn(page, person)
    await page.getByText(TOAST.loggedIn).waitFor()
    await expectPath(page, '/dashboard')
    const kept = await page.evaluate(() => Object.entries(localStorage))
    // A bearer token has three parts with dots between them.
    expect(kept.filter(([, value]) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(value))).toEqual([
      ['token', expect.any(String)],
    ])

    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText(TOAST.loggedOut).waitFor()
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

test('a session that expires leads to /login, and signing in returns to the same page', async () => {
  const change = { expiresAt: Date.now() - 1_000 }
  const person = await registeredPerson()
  const { page } = await openAs(person.bearer, '/profile?tab=security', { mayComplain: REFUSED })
  // All calls of the tab are answered first, so that only the click below meets the ended session.
  await page.getByText('This device').waitFor()
  await page.getByText('No sign-ins in the last 90 days.').waitFor()
  const db = database()
  await db.batch([db.update(sessions).set(change).where(eq(sessions.userId, person.userId))])
  await page.getByRole('button', { name: 'Export my data' }).click()
  await expectPath(page, '/login')
  await page.getByText('Your session has ended. Please sign in again.').waitFor()
  await signIn(page, person)
  await page.waitForURL('**/profile?tab=security')
  await page.getByRole('heading', { name: 'How you sign in' }).waitFor()
})
