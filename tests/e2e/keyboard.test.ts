import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../harness/open-page.ts'
import { BUY, checkoutFrame } from './support/checkout.ts'
import { expectPath, newPerson } from './support/person.ts'

/** Presses Tab until a control with this name has the focus. Throws when 80 presses do not reach it. */
async function tabTo(page: Page, name: string | RegExp, within = '*'): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    const isThere = await page.locator(`${within}:focus`).evaluateAll(
      (focused, wanted) =>
        focused.some((element) => {
          const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined
          const text = (element.ariaLabel ?? label?.innerText ?? element.textContent).trim()
          return new RegExp(wanted).test(text)
        }),
      typeof name === 'string' ? `^${name}$` : name.source,
    )
    if (isThere) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never reached ${String(name)}`)
}

async function press(page: Page, name: string | RegExp): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

async function type(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, label)
  await page.keyboard.type(text)
}

test('registering, buying, editing the profile and deleting the account work with the keyboard alone', async () => {
  const { page } = await openPage({ width: 360, height: 780 })
  const person = newPerson()

  await page.goto('/register')
  await type(page, 'Username', person.username)
  await type(page, 'Email', person.email)
  await type(page, 'Password', person.password)
  await type(page, 'Confirm password', person.password)
  await page.keyboard.press('Enter')
  await expectPath(page, '/dashboard')

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
  await press(page, 'Edit profile')
  await type(page, 'First name', 'Ada')
  await type(page, 'Last name', 'Lovelace')
  await page.keyboard.press('Enter')
  await page.getByText('Profile saved').waitFor()

  await tabTo(page, 'Security', '.tabs a')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Delete my account' }).waitFor()
  await press(page, 'Delete my account')
  await page.getByRole('dialog', { name: 'Delete your account?' }).waitFor()
  await type(page, 'Password', person.password)
  await page.keyboard.press('Enter')
  await expectPath(page, '/')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})
