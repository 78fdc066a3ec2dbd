import { expect, test } from 'vitest'
import { createUser } from '../harness/user.ts'
import { BUY, checkoutFrame } from './support/checkout.ts'
import { press, tabTo, type } from './support/keyboard.ts'
import { expectPath, openAs } from './support/user.ts'

test('buying and deleting the account work with the keyboard alone', async () => {
  const user = await createUser()
  const { page } = await openAs(user.bearer, '/dashboard', { width: 360, height: 780 })
  await page.getByRole('link', { name: 'See plans' }).waitFor()
  await press(page, 'See plans')
  await expectPath(page, '/subscription')
  await page.getByRole('button', { name: BUY }).waitFor()
  await press(page, BUY)
  // The payment window belongs to the provider and has its own controls.
  const frame = checkoutFrame(page)
  await frame.getByLabel('Card number').press('Enter')
  await frame.getByLabel('One-time password').fill('1234')
  await frame.getByLabel('One-time password').press('Enter')
  await expectPath(page, '/subscription/success')
  await page.getByRole('link', { name: 'Go to Dashboard' }).press('Enter')
  await expectPath(page, '/dashboard')
  await page.getByText('/ 1,000,000').waitFor()

  await press(page, 'Menu')
  await press(page, 'Profile')
  await expectPath(page, '/profile')
  await page.getByRole('button', { name: 'Edit profile' }).waitFor()
  await tabTo(page, 'Security', '.tabs a')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Delete my account' }).waitFor()
  await press(page, 'Delete my account')
  await page.getByRole('dialog', { name: 'Delete your account?' }).waitFor()
  await type(page, 'Password', user.password)
  await page.keyboard.press('Enter')
  await expectPath(page, '/')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})
