import { expect, test } from 'vitest'
import { createUser } from '../harness/user.ts'
import { openPage } from '../harness/open-page.ts'
import { userWithPlan, signInBrowser, useOverDays } from './support/user.ts'

test('a part that crashes is replaced by a sentence, and can be tried again', async () => {
  const { page } = await openPage({
    mayLog: /broken on purpose/,
  })
  const user = await userWithPlan()
  await useOverDays(user.userId, 2)
  await signInBrowser(page, user.bearer)
  await page.addInitScript(() => {
    const { resolvedOptions } = Intl.DateTimeFormat.prototype
    const format = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format')
    Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
      configurable: true,
      get() {
        // Only the days of the chart are dates without a year.
        const isChart = Reflect.apply(resolvedOptions, this, []).year === undefined
        if (isChart && !('isMended' in window)) throw new Error('broken on purpose')
        return Reflect.apply(format?.get ?? (() => undefined), this, [])
      },
    })
  })
  await page.goto('/dashboard')
  await page.getByText('We could not show your usage. The rest of the page still works.').waitFor()
  await page.getByRole('link', { name: /^R-/ }).waitFor()
  await page.getByRole('heading', { name: 'Your plan' }).waitFor()
  await expect.poll(() => page.getByRole('heading', { name: 'Last 30 days' }).count()).toBe(0)
  await page.getByRole('button', { name: /Notifications/ }).click()
  await page.getByRole('heading', { name: 'Notifications' }).waitFor()
  await page.keyboard.press('Escape')
  await page.evaluate(() => {
    Object.assign(window, { isMended: true })
  })
  await page.getByRole('button', { name: 'Try Again' }).press('Enter')
  await page.getByRole('heading', { name: 'Last 30 days' }).waitFor()
  await page.locator('main:focus').waitFor()
})

test('where the clipboard is missing, the key of an authenticator app says so', async () => {
  const { page } = await openPage()
  await signInBrowser(page, (await createUser()).bearer)
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
  })
  await page.goto('/profile?tab=security')
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByRole('button', { name: 'Copy the key' }).click()
  await page.getByRole('alert').getByText('Could not copy. Select the text instead.').waitFor()
})
