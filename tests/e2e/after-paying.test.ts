import { test } from 'vitest'
import { openPage } from '../harness/open-page.ts'
import { checkoutFrame, payByCard, runPreset } from './support/checkout.ts'
import { SIGNED_OUT } from './support/complaints.ts'
import { expectPath, registeredPerson, signIn, signInBrowser } from './support/person.ts'

test('Back from the dashboard leads past a purchase that is finished', async () => {
  const { page } = await openPage()
  await signInBrowser(page, (await registeredPerson()).token)
  await page.goto('/contact')
  await page.goto('/subscription')
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await runPreset(page, 'handler-only')
  await expectPath(page, '/dashboard')
  await page.getByText('/ 1,000,000').waitFor()
  await page.goBack()
  await expectPath(page, '/contact')
})

test('paid in one tab after signing out in another: what arrived is said, and shown after signing in', async () => {
  const { page, context } = await openPage({ mayComplain: SIGNED_OUT })
  const person = await registeredPerson()
  await signInBrowser(page, person.token)
  await page.goto('/subscription')
  await page.getByRole('button', { name: 'Buy Now' }).click()
  const card = checkoutFrame(page).getByLabel('Card number')
  await card.waitFor()
  const other = await context.newPage()
  await other.goto('/contact')
  await other.getByRole('button', { name: /Your account$/ }).click()
  await other.getByRole('button', { name: 'Sign out' }).click()
  await expectPath(other, '/')
  await payByCard(page)
  await expectPath(page, '/login')
  await page.getByText('We received your payment. Sign in to see it.').waitFor()
  await page.getByText('A payment you made is kept with your account.').waitFor()
  await signIn(page, person)
  await expectPath(page, '/subscription/success')
  await page.getByRole('heading', { name: 'Payment Successful' }).waitFor()
})
