import { test } from 'vitest'
import { openPage } from '../harness/open-page.ts'
import { runPreset } from './support/checkout.ts'
import { expectPath, registeredPerson, signInBrowser } from './support/person.ts'

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
