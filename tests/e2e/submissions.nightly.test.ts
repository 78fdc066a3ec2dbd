import { expect, test } from 'vitest'
import { openForm } from './support/application.ts'

test('Back closes the dialogs and keeps what was typed; Cancel discards it', async () => {
  const { page, form } = await openForm({ width: 390, height: 800 })
  const open = () => page.locator('dialog[open]').count()
  const reopen = async () => {
    await page.getByRole('link', { name: 'Software Engineer', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Apply Now' }).click()
    await form.waitFor()
  }
  await form.getByLabel('Full name').fill('Ada Lovelace')
  await page.goBack()
  await expect.poll(open).toBe(0)
  await expect.poll(() => new URL(page.url()).pathname).toBe('/careers')
  await reopen()
  await expect.poll(() => form.getByLabel('Full name').inputValue()).toBe('Ada Lovelace')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(open).toBe(0)
  await expect.poll(() => page.evaluate(() => String(history.state))).toBe('null')
  await reopen()
  await expect.poll(() => form.getByLabel('Full name').inputValue()).toBe('')
})
