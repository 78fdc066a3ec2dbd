import { test } from 'vitest'
import { cutOff, expectMended, MISSING_PART, openCutOff, SCRIPTS } from './support/cut-off.ts'
import { expectPath } from './support/person.ts'

// Further pages and parts: missing-scripts.night.test.ts.
test('a page without its scripts says so once, and Try Again works when they load', async () => {
  const { page, mend } = await openCutOff('/dashboard', SCRIPTS)
  await expectMended(page, mend, /^Hello/)
  await expectPath(page, '/dashboard')
})

test('without the script of the bar the page says so', async () => {
  const { page } = await openCutOff('/dashboard', /_astro\/shell.*\.js/)
  await page.getByRole('alert').getByText(MISSING_PART).waitFor()
  await page.unrouteAll()
  await cutOff(page, /_astro\/notice-panel.*\.js/)
  await page.getByRole('link', { name: 'Try Again' }).click()
  await page.getByRole('heading', { name: 'Your plan' }).waitFor()
  await page.getByRole('button', { name: /Notifications/ }).click()
  await page.getByText('We could not load your notifications. Please reload the page.').waitFor()
  await cutOff(page, /_astro\/(start-)?shell.*\.js/)
  await page.goto('/privacy')
  await page.getByRole('alert').getByText(MISSING_PART).waitFor()
})
