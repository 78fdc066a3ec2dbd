import type { Page } from 'playwright-core'

/** Fills in the open form of a job application. */
export async function fillApplication(page: Page) {
  const form = page.getByRole('dialog', { name: /^Apply for / })
  await form.getByLabel('Full name').fill('Ada Lovelace')
  await form.getByLabel('Email').fill('ada@example.test')
  await form.getByLabel('Phone').fill('+44 20 1234')
  await form.getByPlaceholder('City, Country').fill('London, United Kingdom')
  await form.getByLabel('Resume URL').fill('https://example.test/cv.pdf')
  await form.getByLabel('Working country').selectOption('United Kingdom')
  await form.getByLabel('Work authorization').selectOption('other-visa')
  await form.getByLabel('Remote preference').selectOption('hybrid')
  await form.getByLabel('Experience').fill('Engines')
  await form.getByLabel('Why join?').fill('Words')
}
