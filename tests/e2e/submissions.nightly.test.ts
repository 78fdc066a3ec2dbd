import { expect, test } from 'vitest'
import { CAREERS } from '../../src/contract/messages.ts'
import { fillApplication, openForm } from './support/application.ts'
import { hold } from './support/hold.ts'

test('Back closes the dialogs and keeps what was typed; Cancel discards it', async () => {
  const { page, form } = await openForm({ width: 390, height: 800 })
  const open = () => page.locator('dialog[open]').count()
  const reopen = async () => {
    await page.getByRole('button', { name: 'Software Engineer', exact: true }).click()
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

  // While it is sent, only Back closes it; the answer is said all the same.
  await fillApplication(page)
  const release = await hold(page, '**/api/careers/apply')
  await form.getByRole('button', { name: 'Submit application' }).click()
  await form.getByRole('button', { name: 'Submitting...' }).waitFor()
  for (let times = 0; times < 2; times += 1) await page.keyboard.press('Escape')
  await expect.poll(open).toBe(2)
  await page.goBack()
  await expect.poll(open).toBe(0)
  release()
  await page.locator('.toast', { hasText: CAREERS.success }).waitFor()
  expect(await open()).toBe(0)
})
