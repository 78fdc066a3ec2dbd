import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { TOAST } from '../../src/contract/messages.ts'
import { openPage } from '../harness/open-page.ts'
import { REJECTED } from './support/console-errors.ts'
import {
  expectPath,
  mailedPath,
  userWithMail,
  registeredUser,
  signIn,
  openAs,
} from './support/user.ts'

const toast = (page: Page, text: string) =>
  page.locator('.toast').getByText(text, { exact: true }).first()

test('a forgotten password is reset by a mailed link', async () => {
  const { page } = await openPage({ mayLog: REJECTED })
  const user = await registeredUser()
  await page.goto('/forgot-password')
  await page.getByLabel('Email').fill(user.email)
  await page.getByRole('button', { name: 'Send reset link' }).click()
  const sent = page.getByRole('heading', { name: 'Check Your Email' })
  await Promise.all([sent.waitFor(), page.getByText(TOAST.resetMailSent).waitFor()])
  await expect.poll(() => sent.evaluate((heading) => heading === document.activeElement)).toBe(true)

  await page.goto(await mailedPath(user.email, 'reset-password'))
  const password = 'Other-line-2'
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Reset password' }).click()
  await Promise.all([
    page.getByRole('heading', { name: 'Your new password is set' }).waitFor(),
    toast(page, TOAST.passwordReset).waitFor(),
  ])
  await expectPath(page, '/login')
  await signIn(page, { ...user, password })
  await expectPath(page, '/dashboard')
})

test('a mailed link verifies the address and leads to the dashboard', async () => {
  const user = await userWithMail()
  const { page } = await openAs(user.bearer, await mailedPath(user.email, 'verify-email'))
  await Promise.all([
    page.getByRole('heading', { name: 'Your address is verified' }).waitFor(),
    page.getByText('20,000 free tokens are in the account of this address.').waitFor(),
    toast(page, TOAST.emailVerified).waitFor(),
  ])
  await expectPath(page, '/dashboard')
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  await expect.poll(() => page.getByText('Verify your email to get').count()).toBe(0)
  // The dashboard is of the account that is signed in, so the address of another one leads nowhere by itself.
  const other = await userWithMail()
  await page.goto(await mailedPath(other.email, 'verify-email'))
  await page.getByText(`${other.email} is verified.`).waitFor()
  await page.getByText(`You are signed in here with another account, ${user.email}.`).waitFor()
  await expect.poll(() => page.getByText('in 3 seconds').count()).toBe(0)
})

test('a visitor who verifies an address is told what to do if somebody else registered it', async () => {
  const user = await userWithMail()
  const { page } = await openPage()
  const calls: string[] = []
  page.on('request', (request) => calls.push(new URL(request.url()).pathname))
  await page.goto(await mailedPath(user.email, 'verify-email'))
  const ready = page.locator('button:enabled', { hasText: 'Verify email address' })
  await ready.waitFor()
  // A mail scanner that runs scripts sends events, too.
  await page.evaluate(() => dispatchEvent(new PointerEvent('pointerdown')))
  expect(calls.filter((path) => path.startsWith('/api/auth/verify-email'))).toEqual([])
  // A person's pointer moves before it presses anything.
  await page.mouse.move(3, 3)
  await page.getByText('If someone else registered it, they know its password').waitFor()
  await page.getByRole('link', { name: 'set your own' }).click()
  await expectPath(page, '/forgot-password')
})
