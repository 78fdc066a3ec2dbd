import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, type PageOptions } from '../harness/open-page.ts'
import { FAILED } from './support/complaints.ts'

async function openForm(options: PageOptions = {}) {
  const opened = await openPage(options)
  const { page } = opened
  await page.goto('/careers')
  await page.getByText('Click to view details').first().waitFor()
  await page.getByRole('button', { name: 'Software Engineer', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apply Now' }).click()
  await page.getByText('Preparing application form...').waitFor()
  const form = page.getByRole('dialog', { name: /^Apply for / })
  await form.waitFor()
  return { ...opened, form }
}

async function fill(page: Page) {
  const form = page.getByRole('dialog', { name: /^Apply for / })
  await form.getByLabel('Full name').fill('Ada Lovelace')
  await form.getByLabel('Email').fill('ada@example.test')
  await form.getByLabel('Phone').fill('+44 20 1234')
  await form.getByPlaceholder('City, Country').fill('London, United Kingdom')
  await form.getByLabel('Link to your resume').fill('https://example.test/cv.pdf')
  await form.getByLabel('Country you would work from').selectOption('United Kingdom')
  await form.getByLabel('Work authorization').selectOption('other-visa')
  await form.getByLabel('Where you like to work').selectOption('hybrid')
  await form.getByLabel('Your experience').fill('Engines')
  await form.getByLabel('Why do you want to join?').fill('Words')
}

test('spec 8: an application is sent, and Close ends both dialogs', async () => {
  const { page, form, complaints } = await openForm()
  await fill(page)
  await form.getByRole('button', { name: 'Submit application' }).click()
  await page.getByText("Application submitted successfully! We'll be in touch soon.").waitFor()
  expect(await form.getByLabel('Full name').count()).toBe(0)
  await form.getByRole('button', { name: 'Close' }).last().click()
  await expect.poll(() => page.locator('dialog[open]').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('spec 8: what is wrong is listed under its name, and the form stays', async () => {
  const { form } = await openForm()
  await form.getByRole('button', { name: 'Submit application' }).click()
  await form.getByText('Please fix the errors below and try again.').waitFor()
  await form.getByText('Please fix the following errors:').waitFor()
  const said = await form.locator('.notice').innerText()
  expect(said).toMatch(
    /^Please fix the following errors:[^]+ is required[^]+ below and try again\.$/,
  )
  const listed = await form.locator('.notice li').allInnerTexts()
  expect(listed).toContain('Full Name is required')
  expect(listed).toContain('Work Authorization must be chosen from the list')
})

test('spec 8: without a network the spec sentence is shown; while sending the button says so', async () => {
  const { page, form } = await openForm({ mayComplain: FAILED })
  await fill(page)
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/careers/apply', async (route) => {
    await held
    await route.abort()
  })
  await form.getByRole('button', { name: 'Submit application' }).click()
  expect(await form.getByRole('button', { name: 'Submitting...' }).isDisabled()).toBe(true)
  release()
  await form.getByText('Network error. Please check your connection and try again.').waitFor()
})

test('loading the page anew keeps the job open, and Back closes it', async () => {
  const { page, complaints } = await openPage()
  const open = () => page.locator('dialog[open]').count()
  await page.goto('/careers')
  await page.getByRole('button', { name: 'Software Engineer', exact: true }).click()
  await expect.poll(open).toBe(1)
  await page.reload()
  await expect.poll(open).toBe(1)
  await page.goBack()
  await expect.poll(open).toBe(0)
  expect(new URL(page.url()).pathname).toBe('/careers')
  expect(complaints).toEqual([])
})

test('Back closes the dialogs and keeps the page and what was typed; Cancel forgets it', async () => {
  const { page, form, complaints } = await openForm({ width: 390, height: 800 })
  const open = () => page.locator('dialog[open]').count()
  const reopen = async () => {
    await page.getByRole('button', { name: 'Software Engineer', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Apply Now' }).click()
    await form.waitFor()
  }
  await form.getByLabel('Full name').fill('Ada Lovelace')
  await page.goBack()
  await expect.poll(open).toBe(0)
  expect(new URL(page.url()).pathname).toBe('/careers')
  await reopen()
  expect(await form.getByLabel('Full name').inputValue()).toBe('Ada Lovelace')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(open).toBe(0)
  await expect.poll(() => page.evaluate(() => String(history.state))).toBe('null')
  await reopen()
  expect(await form.getByLabel('Full name').inputValue()).toBe('')
  expect(complaints).toEqual([])
})
