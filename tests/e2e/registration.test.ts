import { expect, test } from 'vitest'
import { openPage } from '../harness/open-page.ts'

test('the form has four fields, and its checklist ticks each rule of the password once it holds', async () => {
  const { page } = await openPage()
  await page.goto('/register')
  await expect
    .poll(() => page.locator('main .field-label').allInnerTexts())
    .toEqual(['Username', 'Email', 'Password', 'Confirm password'])
  const ticked = () => page.locator('.checklist [data-holds=true]').allInnerTexts()
  await page.getByLabel('Password', { exact: true }).fill('abcD5')
  await expect.poll(ticked).toHaveLength(3)
  await page.getByLabel('Password', { exact: true }).fill('abcD56')
  await expect.poll(ticked).toHaveLength(4)
})
