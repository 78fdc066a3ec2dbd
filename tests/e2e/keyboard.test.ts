import { test } from 'vitest'
import { openPage } from '../harness/open-page.ts'
import { press, type } from './support/keyboard.ts'
import { expectPath, newUser } from './support/user.ts'

// Buying, and deleting the account: keyboard.nightly.test.ts.
test('registering and editing the profile work with the keyboard alone', async () => {
  const { page } = await openPage({ width: 360, height: 780 })
  const user = newUser()
  await page.goto('/register')
  await type(page, 'Username', user.username)
  await type(page, 'Email', user.email)
  await type(page, 'Password', user.password)
  await type(page, 'Confirm password', user.password)
  await page.locator('button:enabled', { hasText: 'Create account' }).waitFor()
  await page.keyboard.press('Enter')
  await expectPath(page, '/dashboard')

  await press(page, 'Menu')
  await press(page, 'Profile')
  await expectPath(page, '/profile')
  await page.getByRole('button', { name: 'Edit profile' }).waitFor()
  await press(page, 'Edit profile')
  // The form comes on demand.
  await page.getByLabel('First name').waitFor()
  await type(page, 'First name', 'Ada')
  await type(page, 'Last name', 'Lovelace')
  await page.keyboard.press('Enter')
  await page.getByText('Profile saved').waitFor()
})
