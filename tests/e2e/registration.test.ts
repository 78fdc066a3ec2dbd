import { expect, test } from 'vitest'
import { openPage } from '../harness/open-page.ts'
import { REFUSED } from './support/complaints.ts'
import { expectPath, fillRegistration, newPerson, registeredPerson } from './support/person.ts'

test('spec 8: registering signs in, says so and shows the dashboard', async () => {
  const { page, complaints } = await openPage()
  const person = newPerson()
  await page.goto('/register')
  await fillRegistration(page, person)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expectPath(page, '/dashboard')
  await page.getByRole('heading', { name: `Hello, ${person.username}` }).waitFor()
  await page
    .getByText('Registration successful! Please check your email to verify your account.')
    .waitFor()
  expect(complaints).toEqual([])
})

test('the checklist ticks each rule of the password as soon as it holds', async () => {
  const { page } = await openPage()
  await page.goto('/register')
  const ticked = () => page.locator('.checklist [data-holds=true]').allInnerTexts()
  await page.getByLabel('Password', { exact: true }).fill('abc')
  await expect.poll(ticked).toEqual([expect.stringContaining('One lowercase letter')])
  await page.getByLabel('Password', { exact: true }).fill('abcD5')
  await expect.poll(ticked).toHaveLength(3)
  await page.getByLabel('Password', { exact: true }).fill('abcD56')
  await expect.poll(ticked).toHaveLength(4)
})

test('each wrong field says what is wrong, and the first one gets the focus', async () => {
  const { page } = await openPage()
  await page.goto('/register')
  await page.getByRole('button', { name: 'Create account' }).click()
  for (const message of [
    'Username is required',
    'Please enter a valid email address',
    'Password is required',
    'Please confirm your password',
  ]) {
    await page.getByText(message, { exact: true }).waitFor()
  }
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('username')
})

const WRONG = [
  { field: 'Username', value: 'ab', message: 'Username must be at least 3 characters' },
  { field: 'Username', value: 'a'.repeat(31), message: 'Username cannot exceed 30 characters' },
  {
    field: 'Username',
    value: 'a b c',
    message: 'Username can only contain letters, numbers, and underscores',
  },
  { field: 'Email', value: 'nobody', message: 'Please enter a valid email address' },
  { field: 'Password', value: 'Ab1', message: 'Password must be at least 6 characters' },
  {
    field: 'Password',
    value: 'abcdef1',
    message: 'Password must contain at least one uppercase letter',
  },
  {
    field: 'Password',
    value: 'ABCDEF1',
    message: 'Password must contain at least one lowercase letter',
  },
  { field: 'Password', value: 'Abcdef', message: 'Password must contain at least one number' },
  { field: 'Confirm password', value: 'Other-line-2', message: 'Passwords do not match' },
]

test('each rule that a field breaks has its sentence', async () => {
  const { page } = await openPage()
  await page.goto('/register')
  for (const { field, value, message } of WRONG) {
    await fillRegistration(page, newPerson())
    await page.getByLabel(field, { exact: true }).fill(value)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText(message, { exact: true }).first().waitFor()
  }
})

test('an address that is taken is refused with the way on', async () => {
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

test('the Google button opens the Coming Soon modal, and Escape closes it', async () => {
  const { page } = await openPage()
  await page.goto('/register')
  const opener = page.getByRole('button', { name: 'Sign up with Google' })
  await opener.click()
  await page.getByRole('dialog', { name: 'Coming Soon' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Coming Soon' }).waitFor({ state: 'hidden' })
  expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true)
})
