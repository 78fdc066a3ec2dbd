import { expect, test } from 'vitest'
import { GOOGLE_PROBLEMS } from '../../src/contract/google.ts'
import { TOAST } from '../../src/contract/messages.ts'
import { newUser, useGoogleSite } from '../harness/google.ts'
import { openPage } from '../harness/open-page.ts'
import { expectFocus } from './support/focus.ts'
import { expectPath } from './support/user.ts'

const site = useGoogleSite()

test('a new user cancels at Google, signs in with it, returns to the page they wanted, stays signed in and deletes the account', async () => {
  const { page } = await openPage({ siteUrl: site.url })
  const { email } = newUser()
  await page.goto('/register')
  await page.getByRole('button', { name: 'Sign up with Google' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expectPath(page, '/login')
  await expectFocus(page.getByRole('alert').filter({ hasText: GOOGLE_PROBLEMS.google_cancelled }))
  await expect.poll(() => new URL(page.url()).search).toBe('')

  await page.goto('/login?next=%2Fprofile%3Ftab%3Dsecurity')
  await page.getByRole('button', { name: 'Sign in with Google' }).click()
  await page.getByLabel('Name').fill('Grace Hopper')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/profile?tab=security')
  await page.getByText(TOAST.loggedIn).waitFor()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toMatch(/^ey/)
  await page.reload()
  await expectPath(page, '/profile')
  await page.getByText(email).first().waitFor({ state: 'attached' })
  // The account has no password: the recent sign-in is proof enough to delete it.
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expectPath(page, '/')
})
