import { expect, test } from 'vitest'
import { FIELD } from '../../src/contract/messages.ts'
import { openPage } from '../harness/open-page.ts'
import { REFUSED } from './support/complaints.ts'
import { expectPath, fillRegistration, newPerson, registeredPerson } from './support/person.ts'

test('the form has four fields, and its checklist ticks each rule of the password once it holds', async () => {
  const { page } = await openPage()
  await page.goto('/register')
  await expect
    .poll(() => page.locator('main .field-label').allInnerTexts())
    .toEqual(['Username', 'Email', 'Password', 'Confirm password'])
  const rules = await page.locator('.checklist li').allInnerTexts()
  expect(rules.map((rule) => rule.split(/\n|:/)[0]?.trim())).toEqual([
    'At least 6 characters',
    'One uppercase letter',
    'One lowercase letter',
    'One number',
  ])
  const ticked = () => page.locator('.checklist [data-holds=true]').allInnerTexts()
  await page.getByLabel('Password', { exact: true }).fill('abc')
  await expect.poll(ticked).toEqual([expect.stringContaining('One lowercase letter')])
  await page.getByLabel('Password', { exact: true }).fill('abcD5')
  await expect.poll(ticked).toHaveLength(3)
  await page.getByLabel('Password', { exact: true }).fill('abcD56')
  await expect.poll(ticked).toHaveLength(4)
})

test('each empty field shows its sentence, and the first one gets the focus', async () => {
  const { page } = await openPage()
  await page.goto('/register')
  await page.getByRole('button', { name: 'Create account' }).click()
  for (const message of [
    FIELD.usernameRequired,
    FIELD.emailInvalidOnRegister,
    FIELD.passwordRequired,
    FIELD.confirmPasswordRequired,
  ]) {
    await page.getByText(message, { exact: true }).waitFor()
  }
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
    .toBe('username')
})

test('a taken address is refused with a sentence that says what to do', async () => {
  const { page } = await openPage({ mayComplain: REFUSED })
  const person = await registeredPerson()
  await page.goto('/register')
  await fillRegistration(page, { ...newPerson(), email: person.email })
  await page.getByRole('button', { name: 'Create account' }).click()
  await page
    .getByText('An account with this email exists already. Sign in, or reset the password.')
    .first()
    .waitFor()
  await expectPath(page, '/register')
})
