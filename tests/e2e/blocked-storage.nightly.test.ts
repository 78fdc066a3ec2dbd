import { test } from 'vitest'
import { SESSION } from '../../src/contract/session-messages.ts'
import { openPage } from '../harness/open-page.ts'
import { BUY } from './support/checkout.ts'
import { registeredUser, signIn } from './support/user.ts'

test('a browser that blocks site data is told why it is not signed in', async () => {
  const { page } = await openPage()
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      })
  })
  const user = await registeredUser()
  await page.goto('/login')
  await signIn(page, user)
  await page.getByText(SESSION.storageBlocked).waitFor()
  await page.goto('/subscription')
  await page.getByRole('button', { name: BUY }).click()
  await page.getByRole('dialog', { name: 'Sign in to continue' }).waitFor()
})
