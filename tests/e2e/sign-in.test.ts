import { expect, test } from 'vitest'
import { openPage } from '../harness/open-page.ts'
import { REFUSED, SIGNED_OUT } from './support/complaints.ts'
import { expectPath, newPerson, registeredPerson, signIn, signInBrowser } from './support/person.ts'

test('spec 8: signing in says so and goes to the dashboard', async () => {
  const { page, complaints } = await openPage()
  const person = await registeredPerson()
  await page.goto('/login')
  await signIn(page, person)
  await expectPath(page, '/dashboard')
  await page.getByText('Login successful!').waitFor()
  expect(complaints).toEqual([])
})

test('spec 8: a wrong password is refused without saying what was wrong', async () => {
  const { page } = await openPage({ mayComplain: REFUSED })
  const person = await registeredPerson()
  await page.goto('/login')
  await signIn(page, { ...person, password: 'Wrong-line-1' })
  await page.getByText('Invalid email or password').first().waitFor()
  await expectPath(page, '/login')
})

const WRONG = [
  { email: '', password: 'Quiet-line-1', message: 'Email is required' },
  { email: 'nobody', password: 'Quiet-line-1', message: 'Invalid email address' },
  { email: 'a@example.test', password: '', message: 'Password is required' },
  {
    email: 'a@example.test',
    password: 'short',
    message: 'Password must be at least 6 characters',
  },
]

test('each rule that a field breaks has its sentence', async () => {
  const { page } = await openPage()
  await page.goto('/login')
  for (const { email, password, message } of WRONG) {
    await signIn(page, { ...newPerson(), email, password })
    await page.getByText(message, { exact: true }).waitFor()
  }
})

test('a page for signed-in people sends to /login and comes back to where one was', async () => {
  const { page } = await openPage()
  const person = await registeredPerson()
  await page.goto('/profile?tab=security')
  await expectPath(page, '/login')
  await signIn(page, person)
  await page.waitForURL('**/profile?tab=security')
})

test('a next page on another site is not followed', async () => {
  const { page } = await openPage()
  const person = await registeredPerson()
  await page.goto('/login?next=//evil.example/')
  await signIn(page, person)
  await expectPath(page, '/dashboard')
})

test('signed-in people are sent from /login to the dashboard', async () => {
  const { page } = await openPage()
  await signInBrowser(page, (await registeredPerson()).token)
  await page.goto('/login')
  await expectPath(page, '/dashboard')
})

test('a session that is over ends at /login with one sentence', async () => {
  const { page } = await openPage({ mayComplain: REFUSED })
  await signInBrowser(page, 'not.a.token')
  await page.goto('/settings')
  await expectPath(page, '/login')
  await page.getByText('Your session has ended. Please sign in again.').waitFor()
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})

test('spec 8: signing out goes to the landing page and forgets the session', async () => {
  const { page } = await openPage({ mayComplain: SIGNED_OUT })
  await signInBrowser(page, (await registeredPerson()).token)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expectPath(page, '/')
  await page.getByText('Logged out successfully').waitFor()
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await page.goBack()
  await expectPath(page, '/login')
})

test('signing out in one tab signs out the others', async () => {
  const { page, context } = await openPage()
  await signInBrowser(page, (await registeredPerson()).token)
  await page.goto('/dashboard')
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  const other = await context.newPage()
  await other.goto('/profile')
  await other.getByRole('heading', { name: 'Account settings' }).waitFor()
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expectPath(other, '/login')
})
