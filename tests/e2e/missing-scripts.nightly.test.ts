import { expect, test } from 'vitest'
import { PAGE } from '../../src/contract/messages.ts'
import { createUser } from '../harness/user.ts'
import { openPage } from '../harness/open-page.ts'
import { BUY } from './support/checkout.ts'
import { NOT_LOADED } from './support/console-errors.ts'
import { cutOff, expectMended, MISSING_PART, openCutOff, SCRIPTS } from './support/cut-off.ts'
import { expectPath, userWithPlan, signInBrowser } from './support/user.ts'

test('a page without the scripts of its islands says so once, and Try Again works when they load', async () => {
  const { page, mend } = await openCutOff(
    '/profile',
    /_astro\/(react|Success|Settings|Dashboard).*\.js/,
  )
  await expectMended(page, mend, 'Account settings')
  await expectPath(page, '/profile')
})

test('a form whose script does not load says so in its place', async () => {
  const { page } = await openPage({ mayLog: NOT_LOADED })
  await cutOff(page, SCRIPTS)
  for (const path of ['/login', '/contact', '/subscription']) {
    await page.goto(path)
    if (path === '/contact') await page.getByLabel('Email').focus()
    await page.locator('main').getByText(MISSING_PART).waitFor()
    await expect.poll(() => page.getByText(MISSING_PART).count(), { message: path }).toBe(1)
  }
  await page.unrouteAll()
  await cutOff(page, /_astro\/ApplyForm.*\.js/)
  await page.goto('/careers')
  await page.getByRole('link', { name: 'Staff Software Engineer' }).click()
  const dialog = page.getByRole('dialog', { name: 'Staff Software Engineer' })
  await dialog.getByRole('button', { name: 'Apply Now' }).hover()
  await dialog.getByText(MISSING_PART).waitFor()
})

test('without the script of the token purchase the dashboard stays, and Try Again opens the dialog', async () => {
  const { page } = await openPage({ mayLog: NOT_LOADED })
  await signInBrowser(page, (await userWithPlan()).bearer)
  const mend = await cutOff(page, /_astro\/TokenPurchase.*\.js/)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Purchase More Tokens' }).click()
  await page
    .getByText('We could not show the purchase. The rest of the page still works.')
    .waitFor()
  await page.getByRole('heading', { name: 'Your plan' }).waitFor()
  await mend()
  await page.getByRole('link', { name: 'Try Again' }).click()
  await page.getByRole('dialog', { name: 'Purchase More Tokens' }).waitFor()
})

test('without the script of a purchase, Buy Now says so, and Try Again goes on with the purchase', async () => {
  const { page } = await openPage({ mayLog: NOT_LOADED })
  await signInBrowser(page, (await createUser()).bearer)
  const mend = await cutOff(page, /_astro\/plan-purchase\..*\.js/)
  await page.goto('/subscription')
  await page.getByRole('button', { name: BUY }).click()
  await page.getByText(PAGE.partMissing).waitFor()
  // Nor can it show the status of an unfinished purchase.
  await page.goto('/subscription?purchase=of-the-test')
  await page.locator('.toasts [role=alert]').getByText(PAGE.partMissing).waitFor()
  await page.getByRole('button', { name: BUY }).click()
  await page.getByText(PAGE.partMissing).first().waitFor()
  await mend()
  await page.getByRole('button', { name: 'Try Again' }).click()
  await page.getByText('Waiting for your payment…').waitFor()
})

test('without the script of the bar the page says so', async () => {
  const { page } = await openCutOff('/dashboard', /_astro\/session\..*\.js/)
  await page.getByRole('alert').getByText(MISSING_PART).waitFor()
  await page.goto('/privacy')
  await page.getByRole('alert').getByText(MISSING_PART).waitFor()
})
