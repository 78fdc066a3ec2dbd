import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { openPage, type PageOptions } from '../../harness/open-page.ts'

/** Opens the form of an application by the keyboard. */
export async function openForm(options: PageOptions = {}) {
  const opened = await openPage(options)
  const { page } = opened
  await page.goto('/careers')
  await page.getByText('Click to view details').first().waitFor()
  await page.getByRole('link', { name: 'Software Engineer', exact: true }).press('Enter')
  // It is shown for 800 ms, which a busy machine may miss.
  const overlay = await page.evaluateHandle(() => {
    const seen = { text: '' }
    new MutationObserver(() => {
      seen.text ||= document.querySelector('.cover')?.textContent ?? ''
    }).observe(document.body, { childList: true, subtree: true })
    return seen
  })
  const apply = page.getByRole('dialog').getByRole('button', { name: 'Apply Now', disabled: false })
  await apply.press('Enter')
  const form = page.getByRole('dialog', { name: /^Apply for / })
  await form.waitFor()
  // The browser keeps the focus in a dialog that is modal: the form, and the position behind it.
  expect(await page.locator('dialog:modal').count()).toBe(2)
  expect(await overlay.jsonValue()).toEqual({ text: 'Preparing application form...' })
  return { ...opened, form }
}

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
