import { expect, test } from 'vitest'
import { openPage } from '../harness/open-page.ts'

test('spec 8: a ticket: what is missing, sent, thank you, another one', async () => {
  const { page, complaints } = await openPage()
  await page.goto('/contact')
  await page.getByRole('button', { name: 'Submit ticket' }).click()
  await page.locator('.toast', { hasText: 'Please fill in all required fields' }).waitFor()
  expect(await page.getByLabel('Severity').inputValue()).toBe('medium')
  await page.getByLabel('Email').fill('ada@example.test')
  await page.getByLabel('How can we help?').fill('It is too quiet.')
  await page.getByText('16/1000 characters').waitFor()
  await page.getByLabel('This is a feature request').check()
  await page.getByRole('button', { name: 'Submit ticket' }).click()
  await page.getByRole('heading', { name: 'Thank You' }).waitFor()
  await page.getByText('Support ticket submitted successfully!').waitFor()
  await page.getByRole('button', { name: 'Submit Another Ticket' }).click()
  expect(await page.getByLabel('How can we help?').inputValue()).toBe('')
  expect(complaints).toEqual([])
})
